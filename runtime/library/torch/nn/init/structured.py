# Weights with a structure: identities, orthogonal and sparse matrices.
def eye_(tensor: Tensor) -> Tensor:
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with torch.no_grad():
        identity = torch.eye(tensor.size(0), tensor.size(1), dtype=tensor.dtype)
        return tensor.copy_(identity)


# One in the middle of the kernel from each channel to itself: a convolution that changes nothing.
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    if tensor.dim() < 3 or tensor.dim() > 5:
        raise ValueError("Only tensors with 3, 4, or 5 dimensions, as weights of convolutions have, become dirac_")
    if tensor.size(0) % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    channels = tensor.size(0) // groups
    with torch.no_grad():
        tensor.zero_()
        middle = tensor
        for d in range(2, tensor.dim()):
            middle = middle.select(2, tensor.size(d) // 2)
        for group in range(groups):
            for d in range(min(channels, tensor.size(1))):
                middle[group * channels + d, d] = 1
    return tensor


def orthogonal_(
    tensor: Tensor,
    gain: float = 1.0,
    generator: Optional[torch.Generator] = None,
) -> Tensor:
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions have rows to become orthogonal_")
    if tensor.numel() == 0:
        return tensor
    with torch.no_grad():
        rows = tensor.size(0)
        drawn = torch.empty([rows, tensor.numel() // rows], dtype=tensor.dtype)
        drawn.normal_(0.0, 1.0, generator=generator)
        wide = rows < drawn.size(1)
        q, r = torch.linalg.qr(drawn.t() if wide else drawn)
        q = q * torch.diag(r).sign()
        if wide:
            q = q.t()
        return tensor.copy_(q.reshape(tensor.size())).mul_(gain)


# In each column as many zeros as `sparsity` says, at random rows.
def sparse_(
    tensor: Tensor,
    sparsity: float,
    std: float = 0.01,
    generator: Optional[torch.Generator] = None,
) -> Tensor:
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows = tensor.size(0)
    zeros = math.ceil(sparsity * float(rows))
    with torch.no_grad():
        tensor.normal_(0.0, std, generator=generator)
        for column in range(tensor.size(1)):
            tensor.select(1, column).index_fill_(0, torch.randperm(rows)[:zeros], 0.0)
    return tensor
