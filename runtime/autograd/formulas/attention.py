"""Gradients of attention."""

from typing import Final

FORMULAS: Final = """
scaled_dot_product_attention
    = attention_of(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
"""

FUNCTIONS: Final = """
def attention_of(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Optional[Tensor],
    dropout_p: float,
    is_causal: bool,
    scale: Optional[float],
    enable_gqa: bool,
):
    factor = scale
    if factor is None:
        factor = 1.0 / float(query.size(-1)) ** 0.5
    if enable_gqa:
        key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
    weights = (query @ key.transpose(-2, -1)) * factor
    if is_causal:
        allowed = torch.ones([query.size(-2), key.size(-2)], dtype=torch.bool).tril()
        weights = weights.masked_fill(~allowed, float('-inf'))
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            weights = weights.masked_fill(~attn_mask, float('-inf'))
        else:
            weights = weights + attn_mask
    weights = torch.softmax(weights, -1)
    if dropout_p > 0:
        weights = torch.dropout(weights, dropout_p, True)
    found = weights @ value
    if dropout_p == 0 and keeps_heads_in_place(query, key, value, attn_mask):
        return laid_out_as(found, query)
    return found

def keeps_heads_in_place(query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor]):
    if query.dim() != 4 or query.size(-1) != value.size(-1):
        return False
    if attn_mask is not None and attn_mask.requires_grad:
        return False
    return query.stride(-1) == 1 and key.stride(-1) == 1 and value.stride(-1) == 1

def laid_out_as(x: Tensor, query: Tensor):
    model = torch.empty_like(query)
    places = [i - 4 * model.stride(i) for i in range(3)]
    places.sort()
    order = [each % 4 for each in places] + [3]
    inverse = [0, 0, 0, 3]
    for i in range(3):
        inverse[order[i]] = i
    return x.permute(order).contiguous().permute(inverse)
"""
