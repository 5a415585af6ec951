"""Function schemas, their parser, operator records and the operator table. May import ``types``."""

from compiler.schema.alias_info import WILDCARD, AliasInfo
from compiler.schema.argument import NO_DEFAULT, Argument, NoDefault, quoted
from compiler.schema.function_schema import FunctionSchema
from compiler.schema.operator import Kernel, Operator
from compiler.schema.operator_table import OperatorTable
from compiler.schema.schema_parser import SchemaError, parse_schema

__all__ = [
    "NO_DEFAULT",
    "WILDCARD",
    "AliasInfo",
    "Argument",
    "FunctionSchema",
    "Kernel",
    "NoDefault",
    "Operator",
    "OperatorTable",
    "SchemaError",
    "parse_schema",
    "quoted",
]
