"""Gradients of inverses, determinants, solvers and factors of matrices."""

from typing import Final

FORMULAS: Final = """
linalg_inv
    A: -result.mH @ grad @ result.mH
inverse
    self: -result.mH @ grad @ result.mH
linalg_inv_ex
    A: -result.mH @ grad @ result.mH
det
    self: det_gradient(grad, self, result)
linalg_det
    A: det_gradient(grad, A, result)
linalg_slogdet
    A: slogdet_gradient(grad, grad1, A, result)
slogdet
    self: slogdet_gradient(grad, grad1, self, result)
logdet
    self: grad.unsqueeze(-1).unsqueeze(-1) * torch.linalg.inv(self).mH
linalg_cholesky
    self: cholesky_gradient(grad, result, upper)
cholesky
    self: cholesky_gradient(grad, result, upper)
linalg_cholesky_ex
    self: cholesky_gradient(grad, result, upper)
cholesky_inverse
    = torch.linalg.inv(self.mH @ self) if upper else torch.linalg.inv(self @ self.mH)
cholesky_solve
    = torch.linalg.solve(input2.mH @ input2 if upper else input2 @ input2.mH, self)
linalg_solve
    = solve_of(A, B, left)
linalg_solve_ex
    A, B: solve_gradient(grad, A, B, result, left)
linalg_solve_triangular
    self: triangular_gradient_of_matrix(grad, self, result, upper, left, unitriangular)
    B: torch.linalg.solve_triangular(self.mH, grad, upper=not upper, left=left, unitriangular=unitriangular)
triangular_solve
    A: triangular_gradient(grad, A, result, upper, transpose, unitriangular) + grad1
    self: triangular_right(grad, A, upper, transpose, unitriangular)
linalg_eigh
    self: eigh_gradient(grad, grad1, result, result1)
_linalg_eigh
    A: eigh_gradient(grad, grad1, result, result1)
linalg_eigvalsh
    = torch.linalg.eigh(self, UPLO)[0]
linalg_svdvals
    = torch.linalg.svd(A, False)[1]
linalg_svd
    A: svd_gradient(grad, grad1, grad2, result, result1, result2)
svd
    self: svd_gradient(grad, grad1, grad2.mH, result, result1, result2.mH) if compute_uv else svdvals_gradient(grad1, self)
linalg_qr
    A: qr_gradient(grad, grad1, result, result1, mode)
qr
    self: qr_gradient(grad, grad1, result, result1, 'reduced' if some else 'complete')
linalg_matrix_power
    = matrix_power_of(self, n)
matrix_power
    = matrix_power_of(self, n)
matrix_exp linalg_matrix_exp
    self: matrix_exp_gradient(grad, self)
linalg_pinv.atol_rtol_float linalg_pinv.atol_rtol_tensor linalg_pinv.rcond_tensor
    self: pinv_gradient(grad, self, result)
linalg_pinv
    self: pinv_gradient(grad, self, result)
pinverse
    self: pinv_gradient(grad, self, result)
linalg_householder_product
    = householder_of(input, tau)
orgqr
    = householder_of(self, input2)
linalg_matrix_norm
    = matrix_norm_of(self, float(ord), dim, keepdim)
linalg_matrix_norm.str_ord
    = matrix_norm_named(self, ord, dim, keepdim)
linalg_norm
    = linalg_norm_of(self, ord, dim, keepdim)
linalg_norm.ord_str
    = matrix_norm_named(self, ord, [-2, -1] if dim is None else dim, keepdim)
linalg_cond
    = linalg_cond_of(self, p)
linalg_tensorinv
    = tensorinv_of(self, ind)
linalg_tensorsolve
    = tensorsolve_of(self, other, dims)
linalg_lu_factor
    A: lu_gradient(grad, result, result1)
_lu_with_info
    self: lu_gradient(grad, result, result1)
linalg_lu_factor_ex
    A: lu_gradient(grad, result, result1)
linalg_lu
    A: lu_parts_gradient(grad1, grad2, result, result1, result2)
lu_unpack
    LU_data: lu_unpack_gradient(grad1, grad2, LU_data.size())
lu_solve
    = lu_solve_of(self, LU_data, LU_pivots)
linalg_lu_solve
    = lu_solve_of(B, LU, pivots) if left and not adjoint else lu_solve_general(B, LU, pivots, left, adjoint)
"""

FUNCTIONS: Final = """
def det_gradient(grad: Tensor, A: Tensor, result: Tensor):
    given = (grad * result.conj()).unsqueeze(-1).unsqueeze(-1)
    if A.numel() == 0:
        return torch.zeros_like(A)
    if bool((result == 0).any()):
        U, S, Vh = torch.linalg.svd(A, False)
        turn = (torch.linalg.det(U) * torch.linalg.det(Vh)).conj()
        scaled = U * products_of_others(S, -1).unsqueeze(-2)
        return (grad * turn).unsqueeze(-1).unsqueeze(-1) * (scaled @ Vh)
    return given * torch.linalg.inv(A).mH


def slogdet_gradient(sign_grad: Tensor, log_grad: Tensor, A: Tensor, sign: Tensor):
    given = log_grad
    if A.is_complex():
        given = torch.complex(log_grad, -torch.imag(sign_grad.conj() * sign))
    return given.unsqueeze(-1).unsqueeze(-1) * torch.linalg.inv(A).mH


def cholesky_gradient(grad: Tensor, result: Tensor, upper: bool):
    L = result.mH if upper else result
    given = grad.mH if upper else grad
    inner = (L.mH @ given).tril()
    inner = inner - 0.5 * torch.diag_embed(inner.diagonal(0, -2, -1))
    inner = inner + inner.mH
    left = torch.linalg.solve_triangular(L.mH, inner, upper=True)
    return 0.5 * torch.linalg.solve_triangular(L, left, upper=False, left=False)


def solve_of(A: Tensor, B: Tensor, left: bool):
    return torch.ops.aten.linalg_solve_ex(A, B, left=left, check_errors=True)[0]


def is_vector_of(A: Tensor, B: Tensor):
    return B.dim() == 1 or (A.dim() - 1 == B.dim() and B.size() == A.size()[:-1])


def solve_gradient(grad: Tensor, A: Tensor, B: Tensor, result: Tensor, left: bool):
    given = solve_of(A.mH, grad, left)
    if is_vector_of(A, B):
        return -(given.unsqueeze(-1) @ result.unsqueeze(-1).mH), given
    if left:
        return -(given @ result.mH), given
    return -(result.mH @ given), given


def triangle(matrix: Tensor, upper: bool, unitriangular: bool):
    if upper:
        return matrix.triu(1 if unitriangular else 0)
    return matrix.tril(-1 if unitriangular else 0)


def triangular_gradient_of_matrix(grad: Tensor, self: Tensor, result: Tensor, upper: bool, left: bool, unitriangular: bool):
    given = torch.linalg.solve_triangular(self.mH, grad, upper=not upper, left=left, unitriangular=unitriangular)
    found = given @ result.mH if left else result.mH @ given
    return triangle(-found, upper, unitriangular)


def triangular_right(grad: Tensor, A: Tensor, upper: bool, transpose: bool, unitriangular: bool):
    return torch.triangular_solve(grad, A.conj(), upper, not transpose, unitriangular)[0]


def triangular_gradient(grad: Tensor, A: Tensor, result: Tensor, upper: bool, transpose: bool, unitriangular: bool):
    given = triangular_right(grad, A, upper, transpose, unitriangular)
    found = -(result.conj() @ given.mT) if transpose else -(given @ result.mH)
    return triangle(found, upper, unitriangular)


def eigh_gradient(values_grad: Tensor, grad: Tensor, values: Tensor, vectors: Tensor):
    apart = values.unsqueeze(-2) - values.unsqueeze(-1)
    same = torch.eye(values.size(-1), dtype=apart.dtype)
    inner = skew(vectors.mH @ grad) / (2 * apart + same)
    inner = inner * (1 - same) + torch.diag_embed(values_grad)
    return vectors @ inner.to(vectors.dtype) @ vectors.mH


def skew(matrix: Tensor):
    return matrix - matrix.mH


def svd_gradient(gU: Tensor, gS: Tensor, gVh: Tensor, U: Tensor, S: Tensor, Vh: Tensor):
    if U.size(-1) > S.size(-1):
        U = U.narrow(-1, 0, S.size(-1))
        gU = gU.narrow(-1, 0, S.size(-1))
    if Vh.size(-2) > S.size(-1):
        Vh = Vh.narrow(-2, 0, S.size(-1))
        gVh = gVh.narrow(-2, 0, S.size(-1))
    if not bool((gU != 0).any()) and not bool((gVh != 0).any()):
        return (U * gS.unsqueeze(-2)) @ Vh
    same = torch.eye(S.size(-1), dtype=S.dtype)
    apart = (S.unsqueeze(-2) - S.unsqueeze(-1)) * (S.unsqueeze(-2) + S.unsqueeze(-1)) + same
    left = skew(U.mH @ gU) / apart
    right = skew(Vh @ gVh.mH) / apart
    inner = left * S.unsqueeze(-2) + S.unsqueeze(-1) * right + torch.diag_embed(gS)
    if U.is_complex():
        turned = (U.mH @ gU).diagonal(0, -2, -1)
        inner = inner + torch.diag_embed(torch.complex(torch.zeros_like(S), torch.imag(turned) / S))
    total = U @ inner @ Vh
    if U.size(-2) > S.size(-1):
        scaled = gU / S.unsqueeze(-2)
        total = total + (scaled - U @ (U.mH @ scaled)) @ Vh
    if Vh.size(-1) > S.size(-1):
        below = gVh / S.unsqueeze(-1)
        total = total + U @ (below - (below @ Vh.mH) @ Vh)
    return total


def svdvals_gradient(grad: Tensor, A: Tensor):
    U, S, Vh = torch.linalg.svd(A, False)
    return (U * grad.unsqueeze(-2)) @ Vh


def mirrored(matrix: Tensor):
    return matrix.tril() + matrix.tril(-1).mH


def qr_gradient(gQ: Tensor, gR: Tensor, Q: Tensor, R: Tensor, mode: str):
    if mode == "r" or (mode == "complete" and Q.size(-1) > R.size(-1)):
        raise RuntimeError("The derivative of linalg.qr depends on Q, which is there in mode 'reduced' alone")
    count = Q.size(-1)
    width = R.size(-1)
    if width <= count:
        inner = mirrored(R @ gR.mH - gQ.mH @ Q)
        return torch.linalg.solve_triangular(R.mH, gQ + Q @ inner, upper=False, left=False)
    square = R.narrow(-1, 0, count)
    rest = R.narrow(-1, count, width - count)
    grad_square = gR.narrow(-1, 0, count)
    grad_rest = gR.narrow(-1, count, width - count)
    other = Q @ rest
    given = gQ + other @ grad_rest.mH
    inner = mirrored(square @ grad_square.mH - given.mH @ Q)
    first = torch.linalg.solve_triangular(square.mH, given + Q @ inner, upper=False, left=False)
    return torch.cat([first, Q @ grad_rest], -1)


def matrix_power_of(self: Tensor, n: int):
    if n == 0:
        return torch.eye(self.size(-1), dtype=self.dtype).expand(self.size()).clone() + self * 0
    base = torch.linalg.inv(self) if n < 0 else self
    found = base
    for time in range(abs(n) - 1):
        found = found @ base
    return found if n != 1 else found.clone()


def matrix_exp_gradient(grad: Tensor, self: Tensor):
    turned = self.mH
    rows = torch.cat([turned, grad], -1)
    below = torch.cat([torch.zeros_like(grad), turned], -1)
    count = self.size(-1)
    whole = torch.linalg.matrix_exp(torch.cat([rows, below], -2))
    return whole.narrow(-2, 0, count).narrow(-1, count, count)


def pinv_gradient(grad: Tensor, self: Tensor, result: Tensor):
    turned = grad.mH
    found = -(result.mH @ grad @ result.mH)
    first = turned @ result @ result.mH
    found = found + first - self @ (result @ first)
    second = result.mH @ result @ turned
    return found + second - (second @ result) @ self


def householder_of(input: Tensor, tau: Tensor):
    rows = input.size(-2)
    columns = input.size(-1)
    whole = torch.eye(rows, dtype=input.dtype).expand(list(input.size()[:-2]) + [rows, rows])
    lower = input.tril(-1) + torch.eye(rows, columns, dtype=input.dtype)
    for place in range(tau.size(-1)):
        v = lower.narrow(-1, place, 1)
        factor = tau.narrow(-1, place, 1).unsqueeze(-1)
        whole = whole - factor * (whole @ v) @ v.mH
    if tau.size(-1) == 0:
        whole = whole + 0 * (input.sum() + tau.sum())
    return whole.narrow(-1, 0, columns)


def matrix_norm_of(self: Tensor, ord: float, dim: List[int], keepdim: bool):
    first = dim[0] if dim[0] >= 0 else dim[0] + self.dim()
    second = dim[1] if dim[1] >= 0 else dim[1] + self.dim()
    if ord == 2 or ord == -2:
        values = torch.linalg.svdvals(self.movedim([first, second], [-2, -1]))
        found = values.amax([-1]) if ord > 0 else values.amin([-1])
        if keepdim:
            found = with_dims(found, self.dim(), [first, second], False)
        return found
    if ord == 1 or ord == -1:
        first, second = second, first
    sums = torch.linalg.vector_norm(self, 1, [second], True)
    found = sums.amax([first], True) if ord > 0 else sums.amin([first], True)
    return found if keepdim else found.squeeze([first, second])


def matrix_norm_named(self: Tensor, ord: str, dim: List[int], keepdim: bool):
    if ord == "fro":
        return torch.linalg.vector_norm(self, 2, dim, keepdim)
    first = dim[0] if dim[0] >= 0 else dim[0] + self.dim()
    second = dim[1] if dim[1] >= 0 else dim[1] + self.dim()
    values = torch.linalg.svdvals(self.movedim([first, second], [-2, -1]))
    found = values.sum(-1)
    return with_dims(found, self.dim(), [first, second], False) if keepdim else found


def linalg_norm_of(self: Tensor, ord: Optional[number], dim: Optional[List[int]], keepdim: bool):
    if ord is None:
        return torch.linalg.vector_norm(self, 2, dim, keepdim)
    order = float(ord)
    if dim is None and self.dim() == 2:
        return matrix_norm_of(self, order, [0, 1], keepdim)
    if dim is not None and len(dim) == 2:
        return matrix_norm_of(self, order, dim, keepdim)
    return torch.linalg.vector_norm(self, order, dim, keepdim)


def linalg_cond_of(self: Tensor, p: Optional[number]):
    order = 2.0 if p is None else float(p)
    if order == 2 or order == -2:
        values = torch.linalg.svdvals(self)
        high = values.select(-1, 0)
        low = values.select(-1, values.size(-1) - 1)
        return high / low if order > 0 else low / high
    return matrix_norm_of(self, order, [-2, -1], False) * matrix_norm_of(torch.linalg.inv(self), order, [-2, -1], False)


def tensorinv_of(self: Tensor, ind: int):
    sizes = list(self.size())
    count = 1
    for size in sizes[ind:]:
        count *= size
    return torch.linalg.inv(self.reshape(count, -1)).reshape(sizes[ind:] + sizes[:ind])


def tensorsolve_of(self: Tensor, other: Tensor, dims: Optional[List[int]]):
    moved = self
    if dims is not None:
        moved = self.movedim(dims, [self.dim() - len(dims) + place for place in range(len(dims))])
    shape = list(moved.size())[other.dim():]
    return torch.linalg.solve(moved.reshape(other.numel(), -1), other.reshape(-1)).reshape(shape)


def lu_parts_gradient(gL: Tensor, gU: Tensor, P: Tensor, L: Tensor, U: Tensor):
    rows = L.size(-2)
    columns = U.size(-1)
    if rows == columns:
        inner = (L.mH @ gL).tril(-1) + (gU @ U.mH).triu()
        found = torch.linalg.solve_triangular(U.mH, inner, upper=False, left=False)
        return P @ torch.linalg.solve_triangular(L.mH, found, upper=True, unitriangular=True)
    if rows < columns:
        U1 = U.narrow(-1, 0, rows)
        U2 = U.narrow(-1, rows, columns - rows)
        gU1 = gU.narrow(-1, 0, rows)
        gU2 = gU.narrow(-1, rows, columns - rows)
        inner = (L.mH @ gL - gU2 @ U2.mH).tril(-1) + (gU1 @ U1.mH).triu()
        first = torch.linalg.solve_triangular(U1.mH, inner, upper=False, left=False)
        both = torch.cat([first, gU2], -1)
        return P @ torch.linalg.solve_triangular(L.mH, both, upper=True, unitriangular=True)
    L1 = L.narrow(-2, 0, columns)
    L2 = L.narrow(-2, columns, rows - columns)
    gL1 = gL.narrow(-2, 0, columns)
    gL2 = gL.narrow(-2, columns, rows - columns)
    inner = (L1.mH @ gL1).tril(-1) + (gU @ U.mH - L2.mH @ gL2).triu()
    first = torch.linalg.solve_triangular(L1.mH, inner, upper=True, unitriangular=True)
    both = torch.cat([first, gL2], -2)
    return P @ torch.linalg.solve_triangular(U.mH, both, upper=False, left=False)


def lu_gradient(grad: Tensor, LU: Tensor, pivots: Tensor):
    P, L, U = torch.lu_unpack(LU, pivots)
    count = min(LU.size(-1), LU.size(-2))
    return lu_parts_gradient(grad.tril(-1).narrow(-1, 0, count), grad.triu().narrow(-2, 0, count), P, L, U)


def lu_unpack_gradient(gL: Tensor, gU: Tensor, sizes: List[int]):
    rows = sizes[-2]
    columns = sizes[-1]
    below = gL.tril(-1)
    above = gU.triu()
    if columns > below.size(-1):
        below = torch.constant_pad_nd(below, [0, columns - below.size(-1)], 0)
    if rows > above.size(-2):
        above = torch.constant_pad_nd(above, [0, 0, 0, rows - above.size(-2)], 0)
    return below + above


def lu_solve_of(B: Tensor, LU: Tensor, pivots: Tensor):
    P, L, U = torch.lu_unpack(LU, pivots)
    inner = torch.linalg.solve_triangular(L, P.mT @ B, upper=False, unitriangular=True)
    return torch.linalg.solve_triangular(U, inner, upper=True)


def lu_solve_general(B: Tensor, LU: Tensor, pivots: Tensor, left: bool, adjoint: bool):
    P, L, U = torch.lu_unpack(LU, pivots)
    A = P @ L @ U
    return torch.linalg.solve(A.mH if adjoint else A, B, left=left)
"""
