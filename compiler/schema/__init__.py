"""Function schemas, their parser, operator records and the operator table. May import ``types``."""

from tsc.compiler.schema.alias_info import WILDCARD, AliasInfo
from tsc.compiler.schema.argument import NO_DEFAULT, Argument, NoDefault, default_value, quoted
from tsc.compiler.schema.binding import NOT_GIVEN, Binder
from tsc.compiler.schema.function_schema import FunctionSchema
from tsc.compiler.schema.operator import Kernel, Operator
from tsc.compiler.schema.operator_facts import Aliasing, Details, Effects, Facts, Layout, Options
from tsc.compiler.schema.operator_table import OperatorTable
from tsc.compiler.schema.row_expression import REDUCTIONS, RowExpression
from tsc.compiler.schema.scalar_expression import Promotion, ScalarExpression, argument_names
from tsc.compiler.schema.scalar_terms import Apply, Choice, Constant, Input, Term, sole_operator
from tsc.compiler.schema.schema_parser import SchemaError, parse_schema

__all__ = [
    "NOT_GIVEN",
    "NO_DEFAULT",
    "REDUCTIONS",
    "WILDCARD",
    "AliasInfo",
    "Aliasing",
    "Apply",
    "Argument",
    "Binder",
    "Choice",
    "Constant",
    "Details",
    "Effects",
    "Facts",
    "FunctionSchema",
    "Input",
    "Kernel",
    "Layout",
    "NoDefault",
    "Operator",
    "OperatorTable",
    "Options",
    "Promotion",
    "RowExpression",
    "ScalarExpression",
    "SchemaError",
    "Term",
    "argument_names",
    "default_value",
    "parse_schema",
    "quoted",
    "sole_operator",
]
