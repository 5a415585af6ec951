"""Gradients of the short-time Fourier transform and its inverse, which are said frame by frame."""

from typing import Final

FORMULAS: Final = """
stft
    == frames_transformed(self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window)
stft.center
    == frames_transformed(centred(self, n_fft, pad_mode) if center else self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window)
istft
    == frames_put_together(self, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex)
"""

FUNCTIONS: Final = '''
def whole_window(like: Tensor, n_fft: int, win_length: Optional[int], window: Optional[Tensor]):
    """The window, centred in `n_fft` places."""
    length = win_length if win_length is not None else n_fft
    taps = window if window is not None else torch.ones([length], dtype=torch.real(like).dtype)
    before = (n_fft - length) // 2
    return torch.constant_pad_nd(taps, [before, n_fft - length - before])


def centred(self: Tensor, n_fft: int, pad_mode: str):
    if self.dim() == 1:
        whole = self.unsqueeze(0).unsqueeze(0)
    else:
        whole = self.unsqueeze(0)
    padded = torch.nn.functional.pad(whole, [n_fft // 2, n_fft // 2], pad_mode)
    return padded[0, 0] if self.dim() == 1 else padded[0]


def frames_transformed(
    self: Tensor,
    n_fft: int,
    hop_length: Optional[int],
    win_length: Optional[int],
    window: Optional[Tensor],
    normalized: bool,
    onesided: Optional[bool],
    return_complex: Optional[bool],
    align_to_window: Optional[bool],
):
    is_complex = self.is_complex() or (window is not None and window.is_complex())
    hop = hop_length if hop_length is not None else n_fft // 4
    taps = whole_window(self, n_fft, win_length, window)
    if align_to_window is not None and align_to_window:
        missing = (n_fft - (win_length if win_length is not None else n_fft)) // 2
        self = torch.constant_pad_nd(self, [missing, missing])
    frames = self.unfold(-1, n_fft, hop) * taps
    norm = 'ortho' if normalized else 'backward'
    one_sided = onesided if onesided is not None else not is_complex
    found = torch.fft.rfft(frames, norm=norm) if one_sided else torch.fft.fft(frames, norm=norm)
    found = found.transpose(-2, -1)
    if is_complex or (return_complex is not None and return_complex):
        return found
    return torch.view_as_real(found)


def frames_put_together(
    self: Tensor,
    n_fft: int,
    hop_length: Optional[int],
    win_length: Optional[int],
    window: Optional[Tensor],
    center: bool,
    normalized: bool,
    onesided: Optional[bool],
    length: Optional[int],
    return_complex: bool,
):
    """Overlapping frames, added up, over the squares of their windows."""
    spectra = (self if self.is_complex() else torch.view_as_complex(self)).transpose(-2, -1)
    is_single = spectra.dim() == 2
    if is_single:
        spectra = spectra.unsqueeze(0)
    hop = hop_length if hop_length is not None else n_fft // 4
    taps = whole_window(spectra, n_fft, win_length, window)
    norm = 'ortho' if normalized else 'backward'
    one_sided = onesided if onesided is not None else spectra.size(-1) != n_fft
    if return_complex or not one_sided:
        frames = torch.fft.ifft(spectra, norm=norm)
        if not return_complex:
            frames = torch.real(frames)
    else:
        frames = torch.fft.irfft(spectra, n_fft, norm=norm)
    count = frames.size(1)
    whole = n_fft + hop * (count - 1)
    places = (torch.arange(count).unsqueeze(-1) * hop + torch.arange(n_fft)).reshape(-1)
    flat = (frames * taps).reshape(frames.size(0), -1)
    signal = torch.zeros([frames.size(0), whole], dtype=flat.dtype).index_add(1, places, flat)
    squares = (taps * taps).expand(count, n_fft).reshape(-1)
    weights = torch.zeros([whole], dtype=squares.dtype).index_add(0, places, squares)
    start = n_fft // 2 if center else 0
    end = whole - (n_fft // 2 if center else 0)
    if length is not None:
        end = start + length
    kept = min(end, whole)
    found = signal[:, start:kept] / weights[start:kept]
    if end > whole:
        found = torch.constant_pad_nd(found, [0, end - whole])
    return found[0] if is_single else found
'''
