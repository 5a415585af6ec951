# Short-time Fourier transforms.
def _centered(input: Tensor, n_fft: int, pad_mode: str) -> Tensor:
    missing = 3 - input.dim()
    shape = [1] * missing + input.size()
    padded = torch._C._nn.pad(input.view(shape), [n_fft // 2, n_fft // 2], pad_mode)
    return padded.view(padded.size()[missing:])


def stft(
    input: Tensor,
    n_fft: int,
    hop_length: Optional[int] = None,
    win_length: Optional[int] = None,
    window: Optional[Tensor] = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: Optional[bool] = None,
    return_complex: Optional[bool] = None,
    align_to_window: Optional[bool] = None,
) -> Tensor:
    if center:
        if align_to_window is not None:
            raise RuntimeError("stft align_to_window should only be set when center = false")
        input = torch.functional._centered(input, n_fft, pad_mode)
    return torch._VF.stft(
        input,
        n_fft,
        hop_length,
        win_length,
        window,
        normalized,
        onesided,
        return_complex,
        align_to_window,
    )
