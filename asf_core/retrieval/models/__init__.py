"""The encoders: which files they are, where they lie, and how they run.

Only this package imports ``onnxruntime`` and ``tokenizers``, and only when a model is opened.
"""
