"""The stable code of each kind of problem. What a code means is told in ``compiler/explanations``.

A code is never given another meaning, and one that is given up is not used again. The first digit
says where the problem lies:

TS1: the text is not Python. TS2: names. TS3: types. TS4: Python that TorchScript has not.
TS5: calls, operators, subscripts and iteration. TS6: limits, IR texts, what cannot be executed.
TS9: warnings about programs that compile.
"""

from __future__ import annotations

from typing import Final, NewType

Code = NewType("Code", str)

# TS1: syntax ------------------------------------------------------------------------------------

UNEXPECTED_TOKEN: Final = Code("TS101")
UNBALANCED_BRACKET: Final = Code("TS102")
UNTERMINATED_STRING: Final = Code("TS103")
INVALID_CHARACTER: Final = Code("TS104")
INVALID_NUMBER: Final = Code("TS105")
INVALID_ESCAPE: Final = Code("TS106")
INVALID_F_STRING: Final = Code("TS107")
UNEXPECTED_INDENTATION: Final = Code("TS110")
MISSING_BLOCK: Final = Code("TS111")
UNMATCHED_UNINDENT: Final = Code("TS112")
MIXED_TABS: Final = Code("TS113")
MISSING_COLON: Final = Code("TS114")
MISPLACED_BRANCH: Final = Code("TS115")
KEYWORD_AS_NAME: Final = Code("TS116")
FOREIGN_SYNTAX: Final = Code("TS117")
ASSIGNMENT_AS_VALUE: Final = Code("TS118")
INVALID_TARGET: Final = Code("TS120")
INVALID_STARRED_TARGET: Final = Code("TS121")
INVALID_PARAMETERS: Final = Code("TS122")
INVALID_ARGUMENTS: Final = Code("TS123")
INVALID_TYPE_COMMENT: Final = Code("TS124")
JUMP_OUTSIDE_LOOP: Final = Code("TS125")
MISPLACED_STAR: Final = Code("TS126")
MISPLACED_AS: Final = Code("TS127")

# TS2: names -------------------------------------------------------------------------------------

UNDEFINED_NAME: Final = Code("TS201")
POSSIBLY_UNDEFINED_NAME: Final = Code("TS202")
UNKNOWN_ATTRIBUTE: Final = Code("TS203")
UNKNOWN_MODULE_MEMBER: Final = Code("TS204")
UNAVAILABLE_MODULE: Final = Code("TS205")
UNKNOWN_IMPORT: Final = Code("TS206")
UNKNOWN_TYPE: Final = Code("TS207")
REDEFINED_FUNCTION: Final = Code("TS208")
GLOBAL_NOT_CONSTANT: Final = Code("TS209")
UNREADABLE_IMPORT: Final = Code("TS211")
UNKNOWN_SERIALIZED_NAME: Final = Code("TS212")

# TS3: types -------------------------------------------------------------------------------------

INVALID_ANNOTATION: Final = Code("TS301")
MISSING_CONTAINED_TYPE: Final = Code("TS302")
INVALID_KEY_TYPE: Final = Code("TS303")
CHANGED_TYPE: Final = Code("TS304")
ANNOTATION_MISMATCH: Final = Code("TS305")
REPEATED_ANNOTATION: Final = Code("TS306")
REASSIGNED_NAME: Final = Code("TS307")
RETURN_MISMATCH: Final = Code("TS308")
DIFFERENT_RETURNS: Final = Code("TS309")
MISSING_RETURN: Final = Code("TS310")
DIFFERENT_BRANCHES: Final = Code("TS311")
NOT_A_CONDITION: Final = Code("TS312")
MIXED_ELEMENTS: Final = Code("TS313")
CONTAINER_MISMATCH: Final = Code("TS314")
DEFAULT_NOT_CONSTANT: Final = Code("TS315")
DEFAULT_MISMATCH: Final = Code("TS316")
NOT_A_VALUE: Final = Code("TS317")
UNKNOWN_RESULT_TYPE: Final = Code("TS319")
INVALID_NAMED_TUPLE: Final = Code("TS320")
UNANNOTATED_PARAMETER: Final = Code("TS321")
UNCHECKED_OPTIONAL: Final = Code("TS322")
INTEGER_TOO_LARGE: Final = Code("TS323")
UNANNOTATED_RECURSION: Final = Code("TS324")
INVALID_ENUM: Final = Code("TS325")
INVALID_CLASS: Final = Code("TS326")

# TS4: Python that TorchScript has not -----------------------------------------------------------

NO_ASSIGNMENT_EXPRESSION: Final = Code("TS401")
NO_GENERATOR: Final = Code("TS402")
NO_ASYNC: Final = Code("TS403")
NO_TRY: Final = Code("TS404")
NO_MATCH: Final = Code("TS405")
NO_OUTER_VARIABLE: Final = Code("TS406")
NO_BARE_RAISE: Final = Code("TS407")
NO_LOOP_ELSE: Final = Code("TS408")
NO_CLASS: Final = Code("TS410")
NO_LOCAL_IMPORT: Final = Code("TS411")
NO_VARIADIC_PARAMETER: Final = Code("TS412")
NO_KEYWORD_EXPANSION: Final = Code("TS413")
NO_SET: Final = Code("TS414")
NO_BYTES: Final = Code("TS416")
NO_FORMAT_SPECIFICATION: Final = Code("TS417")
NO_SURROGATE: Final = Code("TS418")
NO_TYPE_PARAMETER: Final = Code("TS419")
NO_DICT_UNPACKING: Final = Code("TS420")
NO_PYTHON_BUILTIN: Final = Code("TS421")
NO_MODULE_CLASS: Final = Code("TS422")
NO_CONTEXT_MANAGER: Final = Code("TS423")
NO_STARRED_EXPANSION: Final = Code("TS424")
NO_SUBSCRIPT_SYNTAX: Final = Code("TS425")
NO_UNARY_PLUS: Final = Code("TS426")
NO_SLICE_CHANGE: Final = Code("TS428")
NO_JUMP_FROM_UNROLLED_LOOP: Final = Code("TS429")
NO_BARE_DECLARATION: Final = Code("TS430")
NO_OTHER_EXCEPTION: Final = Code("TS431")
NO_ATTRIBUTE_DELETION: Final = Code("TS432")
NO_ATTRIBUTE_ASSIGNMENT: Final = Code("TS433")
NO_TYPE_STATEMENT: Final = Code("TS434")
NO_DECORATOR: Final = Code("TS436")
ONLY_IN_TSC: Final = Code("TS490")

# TS5: calls, operators, subscripts, iteration ---------------------------------------------------

WRONG_ARGUMENT: Final = Code("TS501")
MISSING_ARGUMENT: Final = Code("TS502")
TOO_MANY_ARGUMENTS: Final = Code("TS503")
UNKNOWN_KEYWORD: Final = Code("TS504")
NO_MATCHING_OVERLOAD: Final = Code("TS505")
UNSUPPORTED_OPERANDS: Final = Code("TS506")
NOT_CALLABLE: Final = Code("TS507")
NOT_ITERABLE: Final = Code("TS508")
WRONG_UNPACKING: Final = Code("TS509")
NOT_A_TUPLE: Final = Code("TS510")
NOT_SUBSCRIPTABLE: Final = Code("TS511")
INVALID_TUPLE_INDEX: Final = Code("TS512")
INVALID_TENSOR_INDEX: Final = Code("TS513")
INVALID_SLICE: Final = Code("TS514")
UNCHANGEABLE_ITEM: Final = Code("TS515")
WRONG_SPECIAL_CALL: Final = Code("TS516")
FLAG_NOT_CONSTANT: Final = Code("TS517")
UNKNOWN_OPERATOR: Final = Code("TS518")

# TS6: limits, IR texts, what cannot be executed -------------------------------------------------

NESTED_TOO_DEEPLY: Final = Code("TS601")
TYPE_TOO_LARGE: Final = Code("TS602")
INVALID_IR: Final = Code("TS603")
NOT_EXECUTABLE: Final = Code("TS604")
CONSTRUCTOR_FAILS: Final = Code("TS605")

# TS9: warnings ----------------------------------------------------------------------------------

EXTENSION_USED: Final = Code("TS901")
UNREACHABLE_CODE: Final = Code("TS902")
