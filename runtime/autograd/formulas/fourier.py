"""Gradients of Fourier transforms."""

from typing import Final

FORMULAS: Final = """
fft_fft
    self: resized_dim(torch.fft.ifft(grad, dim=dim, norm=other_way(norm)), self.size(dim), dim)
fft_ifft
    self: resized_dim(torch.fft.fft(grad, dim=dim, norm=other_way(norm)), self.size(dim), dim)
fft_rfft
    = half_transformed(self, n, dim, norm)
fft_irfft
    self: irfft_gradient(grad, self.size(dim), dim, norm)
fft_hfft
    = torch.fft.irfft(self.conj(), n, dim, other_way(norm))
fft_ihfft
    = torch.fft.rfft(self, n, dim, other_way(norm)).conj()
fft_fftn
    = transformed(self, s, dim, norm, False)
fft_ifftn
    = transformed(self, s, dim, norm, True)
fft_fft2
    = transformed(self, s, dim, norm, False)
fft_ifft2
    = transformed(self, s, dim, norm, True)
fft_rfftn
    = real_transformed(self, s, dim, norm)
fft_rfft2
    = real_transformed(self, s, dim, norm)
fft_irfftn
    = back_to_real(self, s, dim, norm)
fft_irfft2
    = back_to_real(self, s, dim, norm)
fft_hfftn
    = back_to_real(self.conj(), s, dim, other_way(norm))
fft_hfft2
    = back_to_real(self.conj(), s, dim, other_way(norm))
fft_ihfftn
    = real_transformed(self, s, dim, other_way(norm)).conj()
fft_ihfft2
    = real_transformed(self, s, dim, other_way(norm)).conj()
fft_fftshift
    = shifted(self, dim, 1)
fft_ifftshift
    = shifted(self, dim, -1)
"""

FUNCTIONS: Final = """
def other_way(norm: Optional[str]):
    if norm is None or norm == "backward":
        return "forward"
    return "backward" if norm == "forward" else "ortho"


def resized_dim(value: Tensor, size: int, dim: int):
    count = value.size(dim)
    if count > size:
        return value.narrow(dim, 0, size)
    if count == size:
        return value
    sizes = list(value.size())
    sizes[dim] = size - count
    return torch.cat([value, value.new_zeros(sizes)], dim)


def half_transformed(self: Tensor, n: Optional[int], dim: int, norm: Optional[str]):
    whole = torch.fft.fft(self, n, dim, norm)
    return whole.narrow(dim, 0, whole.size(dim) // 2 + 1)


def irfft_gradient(grad: Tensor, size: int, dim: int, norm: Optional[str]):
    count = grad.size(dim)
    found = torch.fft.fft(grad, None, dim, other_way(norm)).narrow(dim, 0, count // 2 + 1)
    weights = torch.full([count // 2 + 1], 2.0, dtype=grad.dtype)
    weights[0] = 1.0
    if count % 2 == 0:
        weights[count // 2] = 1.0
    shape = [1] * found.dim()
    shape[dim] = -1
    return resized_dim(found * weights.reshape(shape), size, dim)


def dims_of(rank: int, s: Optional[List[int]], dim: Optional[List[int]]):
    if dim is not None:
        return dim
    count = rank if s is None else len(s)
    return [rank - count + place for place in range(count)]


def size_at(s: Optional[List[int]], place: int):
    found: Optional[int] = None
    if s is not None:
        if s[place] != -1:
            found = s[place]
    return found


def transformed(self: Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str], back: bool):
    dims = dims_of(self.dim(), s, dim)
    found = self
    for place in range(len(dims)):
        if back:
            found = torch.fft.ifft(found, size_at(s, place), dims[place], norm)
        else:
            found = torch.fft.fft(found, size_at(s, place), dims[place], norm)
    return found


def real_transformed(self: Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]):
    dims = dims_of(self.dim(), s, dim)
    last = len(dims) - 1
    found = torch.fft.rfft(self, size_at(s, last), dims[last], norm)
    for place in range(last):
        found = torch.fft.fft(found, size_at(s, place), dims[place], norm)
    return found


def back_to_real(self: Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]):
    dims = dims_of(self.dim(), s, dim)
    last = len(dims) - 1
    found = self
    for place in range(last):
        found = torch.fft.ifft(found, size_at(s, place), dims[place], norm)
    return torch.fft.irfft(found, size_at(s, last), dims[last], norm)


def shifted(self: Tensor, dim: Optional[List[int]], way: int):
    dims = dims_of(self.dim(), None, dim)
    shifts = torch.jit.annotate(List[int], [])
    for each in dims:
        shifts.append(way * (self.size(each) // 2))
    return self.roll(shifts, dims)
"""
