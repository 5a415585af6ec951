# Short-time Fourier transforms.
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
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center is False")
    if center:
        rank = input.dim()
        shape = [1] * (3 - rank) + list(input.size())
        added = int(n_fft // 2)
        input = torch.nn.functional.pad(input.view(shape), [added, added], pad_mode)
        input = input.view(input.size()[-rank:])
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
