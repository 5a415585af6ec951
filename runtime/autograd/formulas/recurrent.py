"""Gradients of recurrent cells and layers, which are said step by step, and of packed sequences."""

from typing import Final

FORMULAS: Final = """
lstm_cell
    = recurrent_step('lstm', torch.linear(input, w_ih, b_ih), hx[0], hx[1], w_hh, b_hh, None)
gru_cell
    = recurrent_step('gru', torch.linear(input, w_ih, b_ih), hx, hx, w_hh, b_hh, None)[0]
rnn_tanh_cell
    = recurrent_step('tanh', torch.linear(input, w_ih, b_ih), hx, hx, w_hh, b_hh, None)[0]
rnn_relu_cell
    = recurrent_step('relu', torch.linear(input, w_ih, b_ih), hx, hx, w_hh, b_hh, None)[0]
lstm.input
    = recurrent_batch('lstm', input, hx[0], hx[1], params, has_biases, num_layers, dropout, train, bidirectional, batch_first)
gru.input
    = recurrent_batch('gru', input, hx, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)[:2]
rnn_tanh.input
    = recurrent_batch('tanh', input, hx, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)[:2]
rnn_relu.input
    = recurrent_batch('relu', input, hx, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)[:2]
lstm.data
    = recurrent_layers('lstm', data, counts_of(batch_sizes), hx[0], hx[1], params, has_biases, num_layers, dropout, train, bidirectional)
gru.data
    = recurrent_layers('gru', data, counts_of(batch_sizes), hx, hx, params, has_biases, num_layers, dropout, train, bidirectional)[:2]
rnn_tanh.data
    = recurrent_layers('tanh', data, counts_of(batch_sizes), hx, hx, params, has_biases, num_layers, dropout, train, bidirectional)[:2]
rnn_relu.data
    = recurrent_layers('relu', data, counts_of(batch_sizes), hx, hx, params, has_biases, num_layers, dropout, train, bidirectional)[:2]
_pack_padded_sequence
    input: torch._pad_packed_sequence(grad, result1, batch_first, 0, input.size(1 if batch_first else 0))[0]
    result1: none
_pad_packed_sequence
    data: torch._pack_padded_sequence(grad, result1, batch_first)[0]
    result1: none
"""

FUNCTIONS: Final = '''
def recurrent_step(
    kind: str, gates: Tensor, hidden: Tensor, cell: Tensor, w_hh: Tensor, b_hh: Optional[Tensor], w_hr: Optional[Tensor]
):
    """The next hidden state and cell, from what the input gives to the gates."""
    kept = torch.linear(hidden, w_hh, b_hh)
    if kind == 'lstm':
        i, f, g, o = (gates + kept).chunk(4, -1)
        cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
        hidden = torch.sigmoid(o) * torch.tanh(cell)
        if w_hr is not None:
            hidden = torch.linear(hidden, w_hr)
        return hidden, cell
    if kind == 'gru':
        r, z, n = gates.chunk(3, -1)
        hr, hz, hn = kept.chunk(3, -1)
        new = torch.tanh(n + torch.sigmoid(r + hr) * hn)
        return (hidden - new) * torch.sigmoid(z + hz) + new, cell
    return torch.tanh(gates + kept) if kind == 'tanh' else torch.relu(gates + kept), cell


def counts_of(batch_sizes: Tensor):
    return [int(batch_sizes[place]) for place in range(batch_sizes.size(0))]


def recurrent_direction(
    kind: str,
    gates: List[Tensor],
    hidden: Tensor,
    cell: Tensor,
    w_hh: Tensor,
    b_hh: Optional[Tensor],
    w_hr: Optional[Tensor],
    reverse: bool,
):
    """All steps of one layer in one direction: sequences that end early keep their state, or get it late."""
    count = len(gates)
    first = gates[count - 1 if reverse else 0].size(0)
    all_hidden, all_cells = hidden, cell
    hidden, cell = hidden[:first], cell[:first]
    outputs: List[Tensor] = []
    ended_hidden: List[Tensor] = []
    ended_cells: List[Tensor] = []
    for number in range(count):
        given = gates[count - 1 - number if reverse else number]
        active, rows = hidden.size(0), given.size(0)
        if rows < active:
            ended_hidden.insert(0, hidden[rows:])
            ended_cells.insert(0, cell[rows:])
            hidden, cell = hidden[:rows], cell[:rows]
        if rows > active:
            hidden = torch.cat([hidden, all_hidden[active:rows]])
            cell = torch.cat([cell, all_cells[active:rows]])
        hidden, cell = recurrent_step(kind, given, hidden, cell, w_hh, b_hh, w_hr)
        outputs.append(hidden)
    if reverse:
        outputs.reverse()
    if len(ended_hidden) > 0:
        hidden = torch.cat([hidden] + ended_hidden)
        cell = torch.cat([cell] + ended_cells)
    return torch.cat(outputs), hidden, cell


def recurrent_layers(
    kind: str,
    data: Tensor,
    counts: List[int],
    hidden: Tensor,
    cell: Tensor,
    params: List[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
):
    """What the last layer gives for packed sequences, and the last states of all layers."""
    directions = 2 if bidirectional else 1
    if hidden.size(0) != num_layers * directions or hidden.size(1) != counts[0] or cell.size(1) != counts[0]:
        raise RuntimeError("Expected hidden size (" + str(num_layers * directions) + ", " + str(counts[0]) + ", ...), got " + str(hidden.size()))
    count = len(params) // (num_layers * directions)
    last_hidden: List[Tensor] = []
    last_cells: List[Tensor] = []
    for layer in range(num_layers):
        outputs: List[Tensor] = []
        for direction in range(directions):
            place = layer * directions + direction
            own = params[place * count : (place + 1) * count]
            b_ih: Optional[Tensor] = None
            b_hh: Optional[Tensor] = None
            w_hr: Optional[Tensor] = None
            if has_biases:
                b_ih, b_hh = own[2], own[3]
            if count == (5 if has_biases else 3):
                w_hr = own[count - 1]
            gates = torch.linear(data, own[0], b_ih).split(counts)
            output, last, last_cell = recurrent_direction(
                kind, gates, hidden[place], cell[place], own[1], b_hh, w_hr, direction == 1
            )
            outputs.append(output)
            last_hidden.append(last)
            last_cells.append(last_cell)
        data = torch.cat(outputs, -1) if bidirectional else outputs[0]
        if dropout > 0 and train and layer < num_layers - 1:
            data = torch.dropout(data, dropout, True)
    return data, torch.stack(last_hidden), torch.stack(last_cells)


def recurrent_batch(
    kind: str,
    input: Tensor,
    hidden: Tensor,
    cell: Tensor,
    params: List[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
):
    """Sequences of one length, as packed ones."""
    if batch_first:
        input = input.transpose(0, 1)
    length, batch = input.size(0), input.size(1)
    if length == 0:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    data, last_hidden, last_cells = recurrent_layers(
        kind, input.reshape(length * batch, input.size(2)), [batch] * length, hidden, cell, params, has_biases, num_layers, dropout, train, bidirectional
    )
    found = data.reshape(length, batch, data.size(1))
    return found.transpose(0, 1) if batch_first else found, last_hidden, last_cells
'''
