# Multi-head attention. Sequences come first: tensors are (length, batch, features).
def _attention_is_batched(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Optional[Tensor],
    attn_mask: Optional[Tensor],
    num_heads: int,
) -> bool:
    rank = query.dim()
    if rank != 2 and rank != 3:
        raise AssertionError(
            "query should be unbatched 2D or batched 3D tensor but received {}-D query "
            "tensor".format(rank)
        )
    if key.dim() != rank or value.dim() != rank:
        raise AssertionError(
            "For {}-D `query`, expected `key` and `value` to be {}-D but found {}-D and {}-D "
            "tensors respectively".format(rank, rank, key.dim(), value.dim())
        )
    if key_padding_mask is not None and key_padding_mask.dim() != rank - 1:
        raise AssertionError(
            "For {}-D `query`, expected `key_padding_mask` to be `None` or {}-D but found {}-D "
            "tensor instead".format(rank, rank - 1, key_padding_mask.dim())
        )
    if attn_mask is not None:
        if attn_mask.dim() != 2 and attn_mask.dim() != 3:
            raise AssertionError(
                "For {}-D `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {}-D "
                "tensor instead".format(rank, attn_mask.dim())
            )
        expected = [num_heads, query.size(0), key.size(0)]
        if rank == 2 and attn_mask.dim() == 3 and attn_mask.size() != expected:
            raise AssertionError(
                "Expected `attn_mask` shape to be {} but got {}".format(expected, attn_mask.size())
            )
    return rank == 3


def _check_attention_sizes(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim: int,
    num_heads: int,
    separate: bool,
) -> None:
    if query.size(2) != embed_dim:
        raise AssertionError(
            "was expecting embedding dimension of {}, but got {}".format(embed_dim, query.size(2))
        )
    if embed_dim % num_heads != 0:
        raise AssertionError(
            "embed_dim {} not divisible by num_heads {}".format(embed_dim, num_heads)
        )
    if separate and key.size()[:2] != value.size()[:2]:
        raise AssertionError(
            "key's sequence and batch dims {} do not match value's {}".format(
                key.size()[:2], value.size()[:2]
            )
        )
    if not separate and key.size() != value.size():
        raise AssertionError(
            "key shape {} does not match value shape {}".format(key.size(), value.size())
        )


# A mask to be added to scores: zero where there is attention, minus infinity where there is none.
def _additive_mask(mask: Optional[Tensor], name: str, dtype: int) -> Optional[Tensor]:
    if mask is None:
        return None
    if mask.is_floating_point():
        return mask
    if mask.dtype != torch.bool:
        raise AssertionError("only bool and floating types of {} are supported".format(name))
    return torch.zeros_like(mask, dtype=dtype).masked_fill_(mask, float("-inf"))


def _projection_weights(
    packed: Optional[Tensor],
    separate: bool,
    q_weight: Optional[Tensor],
    k_weight: Optional[Tensor],
    v_weight: Optional[Tensor],
) -> List[Tensor]:
    if not separate:
        if packed is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        return packed.chunk(3)
    if q_weight is None:
        raise AssertionError("use_separate_proj_weight is True but q_proj_weight is None")
    if k_weight is None:
        raise AssertionError("use_separate_proj_weight is True but k_proj_weight is None")
    if v_weight is None:
        raise AssertionError("use_separate_proj_weight is True but v_proj_weight is None")
    return [q_weight, k_weight, v_weight]


def _projected(
    inputs: List[Tensor],
    weights: List[Tensor],
    packed_bias: Optional[Tensor],
) -> List[Tensor]:
    if packed_bias is None:
        return [torch._C._nn.linear(x, weight) for x, weight in zip(inputs, weights)]
    biases = packed_bias.chunk(3)
    return [torch._C._nn.linear(x, w, b) for x, w, b in zip(inputs, weights, biases)]


def _with_bias_rows(
    k: Tensor,
    v: Tensor,
    bias_k: Optional[Tensor],
    bias_v: Optional[Tensor],
    is_static: bool,
) -> Tuple[Tensor, Tensor]:
    if bias_k is not None and bias_v is not None:
        if is_static:
            raise AssertionError("bias cannot be added to static key or value.")
        batch = k.size(1)
        longer_k = torch.cat([k, bias_k.repeat([1, batch, 1])])
        return longer_k, torch.cat([v, bias_v.repeat([1, batch, 1])])
    if bias_k is not None or bias_v is not None:
        raise AssertionError("of bias_k and bias_v, one is set but the other is None")
    return k, v


def _split_heads(x: Tensor, num_heads: int) -> Tensor:
    features = x.size(2) // num_heads
    return x.reshape([x.size(0), x.size(1) * num_heads, features]).transpose(0, 1)


def _heads_or_static(x: Tensor, static: Optional[Tensor], name: str, num_heads: int) -> Tensor:
    if static is None:
        return torch.nn.functional._split_heads(x, num_heads)
    heads, features = x.size(1) * num_heads, x.size(2) // num_heads
    if static.size(0) != heads:
        raise AssertionError(
            "expecting {}.size(0) of {}, but got {}".format(name, heads, static.size(0))
        )
    if static.size(2) != features:
        raise AssertionError(
            "expecting {}.size(2) of {}, but got {}".format(name, features, static.size(2))
        )
    return static


def _zero_row(x: Tensor) -> Tensor:
    return torch.cat([x, torch.zeros([x.size(0), 1, x.size(2)], dtype=x.dtype)], 1)


def _check_mask_shape(mask: Tensor, heads: int, target: int, source: int) -> None:
    flat = [target, source]
    if mask.dim() == 2 and mask.size() != flat:
        raise RuntimeError(
            "The shape of the 2D attn_mask is {}, but should be {}.".format(mask.size(), flat)
        )
    full = [heads, target, source]
    if mask.dim() == 3 and mask.size() != full:
        raise RuntimeError(
            "The shape of the 3D attn_mask is {}, but should be {}.".format(mask.size(), full)
        )


# Both masks in one, for keys that got `added` more rows than the masks know of.
def _merged_mask(
    attn_mask: Optional[Tensor],
    padding_mask: Optional[Tensor],
    added: int,
    num_heads: int,
) -> Optional[Tensor]:
    merged: Optional[Tensor] = None
    if attn_mask is not None:
        merged = torch._C._nn.pad(attn_mask, [0, added])
        if attn_mask.dim() == 2:
            merged = merged.unsqueeze(0)
    if padding_mask is None:
        return merged
    padded = torch._C._nn.pad(padding_mask, [0, added])
    per_head = padded.repeat_interleave(num_heads, 0).unsqueeze(1)
    return per_head if merged is None else merged + per_head


def _attention_weights(q: Tensor, k: Tensor, mask: Optional[Tensor], dropout_p: float) -> Tensor:
    scaled = q * math.sqrt(1.0 / float(q.size(2)))
    if mask is None:
        scores = torch.bmm(scaled, k.transpose(-2, -1))
    else:
        scores = torch.baddbmm(mask, scaled, k.transpose(-2, -1))
    return torch.dropout(scores.softmax(-1), dropout_p, dropout_p > 0.0)


def _fused_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Optional[Tensor],
    dropout_p: float,
    is_causal: bool,
    num_heads: int,
) -> Tensor:
    if mask is not None and mask.size(0) == 1:
        mask = mask.unsqueeze(0)
    elif mask is not None:
        mask = mask.unflatten(0, [-1, num_heads])
    result = torch._C._nn.scaled_dot_product_attention(
        q.unflatten(0, [-1, num_heads]),
        k.unflatten(0, [-1, num_heads]),
        v.unflatten(0, [-1, num_heads]),
        mask,
        dropout_p,
        is_causal,
    )
    return result.flatten(0, 1)


def _joined_heads(x: Tensor, batch: int, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
    joined = x.transpose(0, 1).reshape([x.size(1), batch, -1])
    return torch._C._nn.linear(joined, weight, bias)


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Optional[Tensor],
    in_proj_bias: Optional[Tensor],
    bias_k: Optional[Tensor],
    bias_v: Optional[Tensor],
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Optional[Tensor],
    training: bool = True,
    key_padding_mask: Optional[Tensor] = None,
    need_weights: bool = True,
    attn_mask: Optional[Tensor] = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Optional[Tensor] = None,
    k_proj_weight: Optional[Tensor] = None,
    v_proj_weight: Optional[Tensor] = None,
    static_k: Optional[Tensor] = None,
    static_v: Optional[Tensor] = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> Tuple[Tensor, Optional[Tensor]]:
    is_batched = torch.nn.functional._attention_is_batched(
        query, key, value, key_padding_mask, attn_mask, num_heads
    )
    if not is_batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    padding_mask = torch.nn.functional._additive_mask(
        key_padding_mask, "key_padding_mask", query.dtype
    )
    by_flag = is_causal and padding_mask is None and not need_weights
    mask = torch.nn.functional._additive_mask(
        None if by_flag else attn_mask, "attn_mask", query.dtype
    )
    torch.nn.functional._check_attention_sizes(
        query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight
    )
    weights = torch.nn.functional._projection_weights(
        in_proj_weight, use_separate_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight
    )
    q, k, v = torch.nn.functional._projected([query, key, value], weights, in_proj_bias)
    target, batch, source = query.size(0), query.size(1), key.size(0)
    if mask is not None:
        torch.nn.functional._check_mask_shape(mask, batch * num_heads, target, source)
    is_static = static_k is not None or static_v is not None
    k, v = torch.nn.functional._with_bias_rows(k, v, bias_k, bias_v, is_static)
    added = (1 if bias_k is not None else 0) + (1 if add_zero_attn else 0)
    q = torch.nn.functional._split_heads(q, num_heads)
    k = torch.nn.functional._heads_or_static(k, static_k, "static_k", num_heads)
    v = torch.nn.functional._heads_or_static(v, static_v, "static_v", num_heads)
    if add_zero_attn:
        k, v = torch.nn.functional._zero_row(k), torch.nn.functional._zero_row(v)
    merged = torch.nn.functional._merged_mask(mask, padding_mask, added, num_heads)
    dropped = dropout_p if training else 0.0
    if not need_weights:
        attended = torch.nn.functional._fused_attention(
            q, k, v, merged, dropped, by_flag, num_heads
        )
        output = torch.nn.functional._joined_heads(attended, batch, out_proj_weight, out_proj_bias)
        return output if is_batched else output.squeeze(1), None
    attention = torch.nn.functional._attention_weights(q, k, merged, dropped)
    output = torch.nn.functional._joined_heads(
        torch.bmm(attention, v), batch, out_proj_weight, out_proj_bias
    )
    attention = attention.unflatten(0, [batch, num_heads])
    if average_attn_weights:
        attention = attention.mean(dim=1)
    if not is_batched:
        return output.squeeze(1), attention.squeeze(0)
    return output, attention
