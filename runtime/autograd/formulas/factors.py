"""Gradients of eigenvalues, of least squares, and of products with factors that are kept as reflectors."""

from typing import Final

FORMULAS: Final = """
linalg_eig
    self: eig_gradient(grad, grad1, result, result1, self.is_complex())
linalg_eigvals
    = torch.linalg.eig(self)[0]
linalg_lstsq
    = lstsq_of(self, b, rcond, driver)
ormqr
    = reflected_by(self, input2, input3, left, transpose)
"""

FUNCTIONS: Final = '''
def eig_gradient(values_grad: Tensor, grad: Tensor, values: Tensor, vectors: Tensor, is_complex: bool):
    inner = vectors.mH @ grad
    norms = (vectors.mH @ vectors) * torch.real(inner.diagonal(0, -2, -1)).unsqueeze(-2)
    gaps = values.unsqueeze(-2) - values.unsqueeze(-1)
    own = torch.eye(values.size(-1), dtype=torch.bool)
    apart = (inner - norms) / torch.where(own, torch.ones_like(gaps), gaps).conj()
    middle = torch.where(own, torch.diag_embed(values_grad), apart)
    found = torch.linalg.solve(vectors.mH, middle @ vectors.mH)
    return found if is_complex else torch.real(found)


def lstsq_of(self: Tensor, b: Tensor, rcond: Optional[float], driver: Optional[str]):
    found = torch.linalg.lstsq(self.detach(), b.detach(), rcond, driver=driver)
    is_vector = is_vector_of(self, b)
    right = b.unsqueeze(-1) if is_vector else b
    solution = torch.linalg.pinv(self) @ right
    residuals = found[1]
    if residuals.numel() > 0:
        apart = self @ solution - right
        residuals = torch.real(apart * apart.conj()).sum(-2)
    return solution.squeeze(-1) if is_vector else solution, residuals, found[2], found[3]


def reflected_by(self: Tensor, input2: Tensor, input3: Tensor, left: bool, transpose: bool):
    """The product with Q, or with its adjoint, one reflector after another."""
    count = input2.size(-1)
    found = input3.clone() if left else input3.mT.clone()
    mirrored = transpose != (not left)
    for number in range(count):
        place = number if mirrored else count - 1 - number
        below = self[..., place + 1 :, place]
        one = torch.ones_like(self[..., :1, 0])
        vector = torch.cat([torch.zeros_like(self[..., :place, 0]), one, below], -1).unsqueeze(-1)
        factor = input2[..., place : place + 1].unsqueeze(-1)
        if transpose:
            factor = factor.conj()
        if not left:
            vector = vector.conj()
        found = found - factor * (vector @ (vector.mH @ found))
    return found if left else found.mT
'''
