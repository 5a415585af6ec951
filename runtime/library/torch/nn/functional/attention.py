# Multi-head attention. Sequences come first: tensors are (length, batch, features).
def _mha_shape_check(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Optional[Tensor],
    attn_mask: Optional[Tensor],
    num_heads: int,
) -> bool:
    if query.dim() == 3:
        batched = True
        if key.dim() != 3 or value.dim() != 3:
            raise AssertionError(
                "For batched (3-D) `query`, expected `key` and `value` to be 3-D but found {}-D and "
                "{}-D tensors".format(key.dim(), value.dim())
            )
        if key_padding_mask is not None:
            if key_padding_mask.dim() != 2:
                raise AssertionError(
                    "For batched (3-D) `query`, expected `key_padding_mask` to be `None` or 2-D but "
                    "found a {}-D tensor".format(key_padding_mask.dim())
                )
        if attn_mask is not None:
            if attn_mask.dim() not in [2, 3]:
                raise AssertionError(
                    "For batched (3-D) `query`, expected `attn_mask` to be `None`, 2-D or 3-D but "
                    "found a {}-D tensor".format(attn_mask.dim())
                )
    elif query.dim() == 2:
        batched = False
        if key.dim() != 2 or value.dim() != 2:
            raise AssertionError(
                "For unbatched (2-D) `query`, expected `key` and `value` to be 2-D but found {}-D "
                "and {}-D tensors".format(key.dim(), value.dim())
            )
        if key_padding_mask is not None:
            if key_padding_mask.dim() != 1:
                raise AssertionError(
                    "For unbatched (2-D) `query`, expected `key_padding_mask` to be `None` or 1-D "
                    "but found a {}-D tensor".format(key_padding_mask.dim())
                )
        if attn_mask is not None:
            if attn_mask.dim() not in [2, 3]:
                raise AssertionError(
                    "For unbatched (2-D) `query`, expected `attn_mask` to be `None`, 2-D or 3-D but "
                    "found a {}-D tensor".format(attn_mask.dim())
                )
            if attn_mask.dim() == 3:
                expected = (num_heads, query.size()[0], key.size()[0])
                if attn_mask.size() != expected:
                    raise AssertionError(
                        "Expected `attn_mask` shape to be {} but found {}".format(
                            expected, attn_mask.size()
                        )
                    )
    else:
        raise AssertionError(
            "query should be unbatched 2D or batched 3D tensor, which one of {} dimensions is "
            "not".format(query.dim())
        )
    return batched


def _none_or_dtype(input: Optional[Tensor]) -> Optional[int]:
    if input is None:
        return None
    elif isinstance(input, torch.Tensor):
        return input.dtype
    raise RuntimeError("a mask of attention must be None or torch.Tensor")


# A mask to be added to scores: zero where there is attention, minus infinity where there is none.
def _canonical_mask(
    mask: Optional[Tensor],
    mask_name: str,
    other_type: Optional[int],
    other_name: str,
    target_type: int,
    check_other: bool = True,
) -> Optional[Tensor]:
    if mask is not None:
        given = mask.dtype
        is_additive = torch.is_floating_point(mask)
        if given != torch.bool and not is_additive:
            raise AssertionError(
                "only bool and floating types of {} are supported".format(mask_name)
            )
        if check_other and other_type is not None:
            if given != other_type:
                warnings.warn(
                    "{} and {} have different dtypes, which is deprecated: use one for both".format(
                        mask_name, other_name
                    ),
                    stacklevel=2,
                )
        if not is_additive:
            mask = torch.zeros_like(mask, dtype=target_type).masked_fill_(mask, float("-inf"))
    return mask


# Projections of query, key and value by weights that lie one below the other in `w`.
def _in_projection_packed(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    w: Tensor,
    b: Optional[Tensor] = None,
) -> List[Tensor]:
    features = q.size(-1)
    if k is v:
        if q is k:
            all_three = torch._C._nn.linear(q, w, b)
            all_three = (
                all_three.unflatten(-1, [3, features])
                .unsqueeze(0)
                .transpose(0, -2)
                .squeeze(-2)
                .contiguous()
            )
            return [all_three[0], all_three[1], all_three[2]]
        else:
            w_q, w_both = w.split([features, features * 2])
            if b is None:
                b_q = b_both = None
            else:
                b_q, b_both = b.split([features, features * 2])
            projected = torch._C._nn.linear(q, w_q, b_q)
            both = torch._C._nn.linear(k, w_both, b_both)
            both = (
                both.unflatten(-1, [2, features])
                .unsqueeze(0)
                .transpose(0, -2)
                .squeeze(-2)
                .contiguous()
            )
            return [projected, both[0], both[1]]
    else:
        w_q, w_k, w_v = w.chunk(3)
        if b is None:
            b_q = b_k = b_v = None
        else:
            b_q, b_k, b_v = b.chunk(3)
        return [
            torch._C._nn.linear(q, w_q, b_q),
            torch._C._nn.linear(k, w_k, b_k),
            torch._C._nn.linear(v, w_v, b_v),
        ]


def _in_projection(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    b_q: Optional[Tensor] = None,
    b_k: Optional[Tensor] = None,
    b_v: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor, Tensor]:
    features, of_keys, of_values = q.size(-1), k.size(-1), v.size(-1)
    if w_q.size() != (features, features):
        raise AssertionError(
            "expecting query weights shape of {}, but got {}".format(
                (features, features), w_q.size()
            )
        )
    if w_k.size() != (features, of_keys):
        raise AssertionError(
            "expecting key weights shape of {}, but got {}".format((features, of_keys), w_k.size())
        )
    if w_v.size() != (features, of_values):
        raise AssertionError(
            "expecting value weights shape of {}, but got {}".format(
                (features, of_values), w_v.size()
            )
        )
    if b_q is not None and b_q.size() != (features,):
        raise AssertionError(
            "expecting query bias shape of {}, but got {}".format((features,), b_q.size())
        )
    if b_k is not None and b_k.size() != (features,):
        raise AssertionError(
            "expecting key bias shape of {}, but got {}".format((features,), b_k.size())
        )
    if b_v is not None and b_v.size() != (features,):
        raise AssertionError(
            "expecting value bias shape of {}, but got {}".format((features,), b_v.size())
        )
    return (
        torch._C._nn.linear(q, w_q, b_q),
        torch._C._nn.linear(k, w_k, b_k),
        torch._C._nn.linear(v, w_v, b_v),
    )


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
    batched = torch.nn.functional._mha_shape_check(
        query, key, value, key_padding_mask, attn_mask, num_heads
    )
    if not batched:
        query = query.unsqueeze(1)
        key = key.unsqueeze(1)
        value = value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    target, batch, features = query.size()
    source, _, _ = key.size()
    key_padding_mask = torch.nn.functional._canonical_mask(
        mask=key_padding_mask,
        mask_name="key_padding_mask",
        other_type=torch.nn.functional._none_or_dtype(attn_mask),
        other_name="attn_mask",
        target_type=query.dtype,
    )
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint, which is about that mask")
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None
    else:
        attn_mask = torch.nn.functional._canonical_mask(
            mask=attn_mask,
            mask_name="attn_mask",
            other_type=None,
            other_name="",
            target_type=query.dtype,
            check_other=False,
        )
        if key_padding_mask is not None:
            is_causal = False
    if features != embed_dim_to_check:
        raise AssertionError(
            "was expecting embedding dimension of {}, but got {}".format(
                embed_dim_to_check, features
            )
        )
    if isinstance(features, torch.Tensor):
        of_head = features.div(num_heads, rounding_mode="trunc")
    else:
        of_head = features // num_heads
    if of_head * num_heads != features:
        raise AssertionError(
            "embed_dim {} not divisible by num_heads {}".format(features, num_heads)
        )
    if use_separate_proj_weight:
        if key.size()[:2] != value.size()[:2]:
            raise AssertionError(
                "key's sequence and batch dims {} do not match value's {}".format(
                    key.size()[:2], value.size()[:2]
                )
            )
    else:
        if key.size() != value.size():
            raise AssertionError(
                "key shape {} does not match value shape {}".format(key.size(), value.size())
            )
    if not use_separate_proj_weight:
        if in_proj_weight is None:
            raise AssertionError("in_proj_weight is None, and use_separate_proj_weight=False needs it")
        q, k, v = torch.nn.functional._in_projection_packed(
            query, key, value, in_proj_weight, in_proj_bias
        )
    else:
        if q_proj_weight is None:
            raise AssertionError("q_proj_weight is None, and use_separate_proj_weight=True needs it")
        if k_proj_weight is None:
            raise AssertionError("k_proj_weight is None, and use_separate_proj_weight=True needs it")
        if v_proj_weight is None:
            raise AssertionError("v_proj_weight is None, and use_separate_proj_weight=True needs it")
        if in_proj_bias is None:
            b_q = b_k = b_v = None
        else:
            b_q, b_k, b_v = in_proj_bias.chunk(3)
        q, k, v = torch.nn.functional._in_projection(
            query, key, value, q_proj_weight, k_proj_weight, v_proj_weight, b_q, b_k, b_v
        )
    if attn_mask is not None:
        if attn_mask.dim() == 2:
            flat = (target, source)
            if attn_mask.size() != flat:
                raise RuntimeError(
                    "The shape of the 2D attn_mask is {}, but should be {}.".format(
                        attn_mask.size(), flat
                    )
                )
            attn_mask = attn_mask.unsqueeze(0)
        elif attn_mask.dim() == 3:
            full = (batch * num_heads, target, source)
            if attn_mask.size() != full:
                raise RuntimeError(
                    "The shape of the 3D attn_mask is {}, but should be {}.".format(
                        attn_mask.size(), full
                    )
                )
        else:
            raise RuntimeError(
                "attn_mask has 2 or 3 dimensions, where {} are given".format(attn_mask.dim())
            )
    if bias_k is not None and bias_v is not None:
        if static_k is not None:
            raise AssertionError("bias cannot be added to static key.")
        if static_v is not None:
            raise AssertionError("bias cannot be added to static value.")
        k = torch.cat([k, bias_k.repeat(1, batch, 1)])
        v = torch.cat([v, bias_v.repeat(1, batch, 1)])
        if attn_mask is not None:
            attn_mask = torch.nn.functional.pad(attn_mask, [0, 1])
        if key_padding_mask is not None:
            key_padding_mask = torch.nn.functional.pad(key_padding_mask, [0, 1])
    else:
        if bias_k is not None:
            raise AssertionError("bias_k is set but bias_v is None")
        if bias_v is not None:
            raise AssertionError("bias_v is set but bias_k is None")
    q = q.view(target, batch * num_heads, of_head).transpose(0, 1)
    if static_k is None:
        k = k.view(k.size()[0], batch * num_heads, of_head).transpose(0, 1)
    else:
        if static_k.size(0) != batch * num_heads:
            raise AssertionError(
                "expecting static_k.size(0) of {}, but got {}".format(
                    batch * num_heads, static_k.size(0)
                )
            )
        if static_k.size(2) != of_head:
            raise AssertionError(
                "expecting static_k.size(2) of {}, but got {}".format(of_head, static_k.size(2))
            )
        k = static_k
    if static_v is None:
        v = v.view(v.size()[0], batch * num_heads, of_head).transpose(0, 1)
    else:
        if static_v.size(0) != batch * num_heads:
            raise AssertionError(
                "expecting static_v.size(0) of {}, but got {}".format(
                    batch * num_heads, static_v.size(0)
                )
            )
        if static_v.size(2) != of_head:
            raise AssertionError(
                "expecting static_v.size(2) of {}, but got {}".format(of_head, static_v.size(2))
            )
        v = static_v
    if add_zero_attn:
        row = (batch * num_heads, 1, of_head)
        k = torch.cat([k, torch.zeros(row, dtype=k.dtype, device=k.device)], dim=1)
        v = torch.cat([v, torch.zeros(row, dtype=v.dtype, device=v.device)], dim=1)
        if attn_mask is not None:
            attn_mask = torch.nn.functional.pad(attn_mask, [0, 1])
        if key_padding_mask is not None:
            key_padding_mask = torch.nn.functional.pad(key_padding_mask, [0, 1])
    source = k.size(1)
    if key_padding_mask is not None:
        key_padding_mask = (
            key_padding_mask.view(batch, 1, 1, source)
            .expand(-1, num_heads, -1, -1)
            .reshape(batch * num_heads, 1, source)
        )
        if attn_mask is None:
            attn_mask = key_padding_mask
        else:
            attn_mask = attn_mask + key_padding_mask
    if not training:
        dropout_p = 0.0
    if need_weights:
        _, _, of_query = q.size()
        scaled = q * math.sqrt(1.0 / float(of_query))
        if is_causal and attn_mask is None:
            raise AssertionError("is_causal is not possible with need_weights")
        if attn_mask is not None:
            attention = torch.baddbmm(attn_mask, scaled, k.transpose(-2, -1))
        else:
            attention = torch.bmm(scaled, k.transpose(-2, -1))
        attention = torch.nn.functional.softmax(attention, dim=-1)
        if dropout_p > 0.0:
            attention = torch.nn.functional.dropout(attention, p=dropout_p)
        output = torch.bmm(attention, v)
        output = output.transpose(0, 1).reshape(target * batch, features)
        output = torch._C._nn.linear(output, out_proj_weight, out_proj_bias)
        output = output.view(target, batch, output.size(1))
        attention = attention.view(batch, num_heads, target, source)
        if average_attn_weights:
            attention = attention.mean(dim=1)
        if not batched:
            output = output.squeeze(1)
            attention = attention.squeeze(0)
        return output, attention
    else:
        if attn_mask is not None:
            if attn_mask.size(0) == 1 and attn_mask.dim() == 3:
                attn_mask = attn_mask.unsqueeze(0)
            else:
                attn_mask = attn_mask.view(batch, num_heads, -1, source)
        q = q.view(batch, num_heads, target, of_head)
        k = k.view(batch, num_heads, source, of_head)
        v = v.view(batch, num_heads, source, of_head)
        output = torch._C._nn.scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal)
        output = output.permute(2, 0, 1, 3).reshape(batch * target, features)
        output = torch._C._nn.linear(output, out_proj_weight, out_proj_bias)
        output = output.view(target, batch, output.size(1))
        if not batched:
            output = output.squeeze(1)
        return output, None
