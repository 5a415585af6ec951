"""Lexer, parser, trees and tree views. May import ``printing`` and below."""

from compiler.frontend.lexer import tokens
from compiler.frontend.parser import parse_expression, parse_function, parse_source
from compiler.frontend.tokens import Token

__all__ = ["Token", "parse_expression", "parse_function", "parse_source", "tokens"]
