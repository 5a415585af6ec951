# Parameters as one vector, and back.
import torch


def parameters_to_vector(parameters):
    return torch.cat([parameter.reshape(-1) for parameter in parameters])


def vector_to_parameters(vec, parameters):
    start = 0
    with torch.no_grad():
        for parameter in parameters:
            end = start + parameter.numel()
            parameter.copy_(vec[start:end].view_as(parameter))
            start = end
