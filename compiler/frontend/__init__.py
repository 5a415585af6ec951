"""Lexer, parser, trees and tree views. May import ``printing`` and below."""

from tsc.compiler.frontend.lexer import tokens
from tsc.compiler.frontend.parser import parse_expression, parse_function, parse_source
from tsc.compiler.frontend.tokens import Token

__all__ = ["Token", "parse_expression", "parse_function", "parse_source", "tokens"]
