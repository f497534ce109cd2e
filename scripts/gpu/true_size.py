"""Models of true size with random weights, in the hub's layout: they are as fast as real ones and need no download.
Run: python3 scripts/gpu/true_size.py FOLDER [--size small|tiny] [--fp16] [--q8]   (numpy and onnx; --q8, the decoder
of Whisper in 8 bits too, needs onnxruntime)"""
import argparse
import os

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

parser = argparse.ArgumentParser()
parser.add_argument('folder')
parser.add_argument('--size', choices=['small', 'tiny'], default='small')
parser.add_argument('--fp16', action='store_true')
parser.add_argument('--q8', action='store_true')
options = parser.parse_args()
random = numpy.random.default_rng(7)
half = options.fp16
ending = '_fp16' if half else ''
kind, number = (TensorProto.FLOAT16, numpy.float16) if half else (TensorProto.FLOAT, numpy.float32)
whole, words = TensorProto.FLOAT, TensorProto.INT64


class Graph:
    """Nodes and weights as they come; a name that is not given is counted."""

    def __init__(self):
        self.nodes, self.weights, self.count = [], {}, 0

    def op(self, name, *inputs, out=None, **attributes):
        self.count += 1
        out = out or f'v{self.count}'
        self.nodes.append(helper.make_node(name, list(inputs), [out], **attributes))
        return out

    def keep(self, value):
        value = numpy.asarray(value)
        name = f'w{len(self.weights)}'
        self.weights[name] = numpy_helper.from_array(value, name)
        return name

    def weight(self, *shape, scale=0.03):
        return self.keep((random.standard_normal(shape, numpy.float32) * scale).astype(number))

    def line(self, x, size_in, size_out):
        return self.op('Add', self.op('MatMul', x, self.weight(size_in, size_out)), self.weight(size_out))

    def norm(self, x, size):
        return self.op('LayerNormalization', x, self.keep(numpy.ones(size, number)), self.keep(numpy.zeros(size, number)))

    def split(self, x, heads, width):
        return self.op('Transpose', self.op('Reshape', x, self.keep(numpy.int64([0, 0, heads, width]))), perm=[0, 2, 1, 3])

    def attend(self, query, key, value, size, width, mask=None):
        scaled = self.op('Mul', query, self.keep(number(width ** -0.5)))
        scores = self.op('MatMul', scaled, self.op('Transpose', key, perm=[0, 1, 3, 2]))
        if mask:
            scores = self.op('Add', scores, mask)
        mixed = self.op('Transpose', self.op('MatMul', self.op('Softmax', scores, axis=-1), value), perm=[0, 2, 1, 3])
        return self.line(self.op('Reshape', mixed, self.keep(numpy.int64([0, 0, size]))), size, size)

    def mlp(self, x, size):
        wide = self.line(x, size, 4 * size)
        cubed = self.op('Mul', self.op('Erf', self.op('Mul', wide, self.keep(number(0.7071)))), self.keep(number(0.5)))
        return self.line(self.op('Mul', wide, self.op('Add', cubed, self.keep(number(0.5)))), 4 * size, size)

    def layer(self, x, size, heads):
        normed, width = self.norm(x, size), size // heads
        parts = [self.split(self.line(normed, size, size), heads, width) for _ in range(3)]
        x = self.op('Add', x, self.attend(*parts, size, width))
        return self.op('Add', x, self.mlp(self.norm(x, size), size))

    def causal(self, total, positions):
        """-10000 where a key lies after the position that looks; positions: [batch, length], or [1, length]."""
        keys = self.op('Range', self.keep(numpy.int64(0)), total, self.keep(numpy.int64(1)))
        later = self.op('Greater', keys, self.op('Unsqueeze', positions, self.keep(numpy.int64([1, 3]))))
        return self.op('Mul', self.op('Cast', later, to=kind), self.keep(number(-10000)))

    def save(self, path, inputs, outputs):
        told = lambda rows: [helper.make_tensor_value_info(name, of, dims) for name, of, dims in rows]
        graph = helper.make_graph(self.nodes, 'g', told(inputs), told(outputs), list(self.weights.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=9)
        path = os.path.join(options.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        onnx.save(model, f'{path}{ending}.onnx')
        print(f'{path}{ending}.onnx', round(os.path.getsize(f'{path}{ending}.onnx') / 1e6), 'MB', flush=True)
        if options.q8 and 'decoder' in path:
            from onnxruntime.quantization import quantize_dynamic
            quantize_dynamic(f'{path}.onnx', f'{path}_quantized.onnx', op_types_to_quantize=['MatMul'])


def siglip():
    """The picture tower of SigLIP 2 base at 256 pixels: 12 layers of 768 over 256 patches."""
    layers, size, heads, side = (12, 768, 12, 256) if options.size == 'small' else (4, 192, 3, 64)
    g = Graph()
    pixels = g.op('Cast', 'pixel_values', to=kind)
    patches = g.op('Conv', pixels, g.weight(size, 3, 16, 16), g.weight(size), kernel_shape=[16, 16], strides=[16, 16])
    x = g.op('Transpose', g.op('Reshape', patches, g.keep(numpy.int64([0, 0, -1]))), perm=[0, 2, 1])
    x = g.op('Add', x, g.weight((side // 16) ** 2, size))
    for _ in range(layers):
        x = g.layer(x, size, heads)
    g.op('Cast', g.op('ReduceMean', g.norm(x, size), axes=[1], keepdims=0), to=whole, out='pooler_output')
    g.save('siglip/onnx/vision_model', [('pixel_values', whole, ['batch', 3, side, side])], [('pooler_output', whole, ['batch', size])])


def whisper():
    """Whisper small: two times 12 layers of 768, 1,500 moments of sound, 51,865 pieces."""
    layers, size, heads, pieces = (12, 768, 12, 51865) if options.size == 'small' else (2, 128, 2, 2000)
    width, moments = size // heads, 1500
    g = Graph()
    x = g.op('Cast', 'input_features', to=kind)
    for channels, stride in ((80, 1), (size, 2)):
        x = g.op('Conv', x, g.weight(size, channels, 3), g.weight(size), kernel_shape=[3], pads=[1, 1], strides=[stride])
        x = g.op('Relu', x)
    x = g.op('Add', g.op('Transpose', x, perm=[0, 2, 1]), g.weight(moments, size))
    for _ in range(layers):
        x = g.layer(x, size, heads)
    g.op('Identity', g.norm(x, size), out='last_hidden_state')
    g.save('whisper/onnx/encoder_model', [('input_features', whole, ['batch', 80, 3000])], [('last_hidden_state', kind, ['batch', moments, size])])
    for with_past in (False, True):
        g = Graph()
        cache = lambda of: [f'{of}.{layer}.{part}.{what}' for layer in range(layers) for part in ('decoder', 'encoder') for what in ('key', 'value')]
        at = g.op('Shape', 'past_key_values.0.decoder.key') if with_past else g.keep(numpy.int64([0, 0, 0, 0]))
        before = g.op('Gather', at, g.keep(numpy.int64(2)))
        length = g.op('Gather', g.op('Shape', 'input_ids'), g.keep(numpy.int64(1)))
        total = g.op('Add', before, length)
        places = g.op('Range', before, total, g.keep(numpy.int64(1)))
        mask = g.causal(total, g.op('Unsqueeze', places, g.keep(numpy.int64([0]))))
        table = g.weight(pieces, size)
        x = g.op('Add', g.op('Gather', table, 'input_ids'), g.op('Gather', g.weight(448, size), places))
        for layer in range(layers):
            past = lambda part, what: f'past_key_values.{layer}.{part}.{what}'
            normed = g.norm(x, size)
            query, *own = [g.split(g.line(normed, size, size), heads, width) for _ in range(3)]
            for i, what in enumerate(('key', 'value')):
                own[i] = g.op('Concat', *([past('decoder', what)] if with_past else []), own[i], axis=2, out=f'present.{layer}.decoder.{what}')
            x = g.op('Add', x, g.attend(query, *own, size, width, mask))
            query = g.split(g.line(g.norm(x, size), size, size), heads, width)
            heard = [past('encoder', what) if with_past else g.op('Identity', g.split(g.line('encoder_hidden_states', size, size), heads, width), out=f'present.{layer}.encoder.{what}') for what in ('key', 'value')]
            x = g.op('Add', x, g.attend(query, *heard, size, width))
            x = g.op('Add', x, g.mlp(g.norm(x, size), size))
        g.op('Cast', g.op('MatMul', g.norm(x, size), g.weight(size, pieces)), to=whole, out='logits')
        shape = ['batch', heads, 'past', width]
        inputs = [('input_ids', words, ['batch', 'length']), *([] if with_past else [('encoder_hidden_states', kind, ['batch', moments, size])]), *([(name, kind, shape) for name in cache('past_key_values')] if with_past else [])]
        made = [name for name in cache('present') if not with_past or '.decoder.' in name]
        outputs = [('logits', whole, ['batch', 'length', pieces]), *[(name, kind, shape) for name in made]]
        g.save(f"whisper/onnx/decoder_{'with_past_' if with_past else ''}model", inputs, outputs)


def language():
    """The language model inside of SmolVLM-256M: 30 layers of 576, 9 heads over 3, 49,280 pieces."""
    layers, size, heads, groups, wide, pieces = (30, 576, 9, 3, 1536, 49280) if options.size == 'small' else (2, 96, 3, 1, 192, 600)
    width = size // heads
    g = Graph()
    total = g.op('Gather', g.op('Shape', 'attention_mask'), g.keep(numpy.int64(1)))
    mask = g.causal(total, 'position_ids')
    angles = numpy.arange(4096)[:, None] * 10000 ** (-numpy.arange(0, width, 2) / width)
    angles = numpy.concatenate([angles, angles], 1)
    turn = [g.op('Unsqueeze', g.op('Gather', g.keep(of(angles).astype(number)), 'position_ids'), g.keep(numpy.int64([1]))) for of in (numpy.cos, numpy.sin)]

    def norm(x):
        mean = g.op('ReduceMean', g.op('Mul', x, x), axes=[-1])
        root = g.op('Sqrt', g.op('Add', mean, g.keep(number(1e-5))))
        return g.op('Mul', g.op('Div', x, root), g.keep(numpy.ones(size, number)))

    def turned(x):
        first, second = [g.op('Slice', x, *[g.keep(numpy.int64([i])) for i in (begin, begin + width // 2, 3)]) for begin in (0, width // 2)]
        other = g.op('Concat', g.op('Neg', second), first, axis=-1)
        return g.op('Add', g.op('Mul', x, turn[0]), g.op('Mul', other, turn[1]))

    def spread(x):
        """Each head of keys for three of queries."""
        taken = g.keep(numpy.repeat(numpy.arange(groups), heads // groups))
        return g.op('Gather', x, taken, axis=1)

    x = g.op('Gather', g.weight(pieces, size), 'input_ids')
    for layer in range(layers):
        normed = norm(x)
        query, key, value = [g.split(g.op('MatMul', normed, g.weight(size, count * width)), count, width) for count in (heads, groups, groups)]
        key = g.op('Concat', f'past_key_values.{layer}.key', turned(key), axis=2, out=f'present.{layer}.key')
        value = g.op('Concat', f'past_key_values.{layer}.value', value, axis=2, out=f'present.{layer}.value')
        x = g.op('Add', x, g.attend(turned(query), spread(key), spread(value), size, width, mask))
        normed = norm(x)
        gate = g.op('MatMul', normed, g.weight(size, wide))
        gate = g.op('Mul', g.op('Mul', gate, g.op('Sigmoid', gate)), g.op('MatMul', normed, g.weight(size, wide)))
        x = g.op('Add', x, g.op('MatMul', gate, g.weight(wide, size)))
    logits = g.op('Cast', g.op('MatMul', norm(x), g.weight(size, pieces)), to=whole)
    known = numpy.where(numpy.arange(pieces) < 500, 0, -1e4).astype(numpy.float32)  # what the small tokenizer beside it can spell
    g.op('Add', logits, g.keep(known), out='logits')
    names = [f'{layer}.{what}' for layer in range(layers) for what in ('key', 'value')]
    shape = ['batch', groups, 'past', width]
    inputs = [(name, words, ['batch', rest]) for name, rest in (('input_ids', 'length'), ('attention_mask', 'total'), ('position_ids', 'length'))]
    g.save('chat/onnx/model', [*inputs, *[(f'past_key_values.{name}', kind, shape) for name in names]],
           [('logits', whole, ['batch', 'length', pieces]), *[(f'present.{name}', kind, shape) for name in names]])


for make in (siglip, whisper, language):
    make()
