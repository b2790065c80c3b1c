"""The encoders. ONNX Runtime is imported in this package only."""
