"""Exported programs as ONNX models: one short function per operator of ATen, found by a table."""
