"""The same sizes in PyTorch, for the ratio: rows of the table that bench.ts prints.
Run: python3 scripts/gpu/torch_rate.py [--device cuda|cpu] [--size small|tiny]   (torch and transformers)"""
import argparse
import time

import torch
import transformers

parser = argparse.ArgumentParser()
parser.add_argument('--device', default='cuda')
parser.add_argument('--size', default='small')
parser.add_argument('--batches', default='1,4,16,32,64')
options = parser.parse_args()
on_card, small = options.device == 'cuda', options.size == 'small'
kind = torch.float16 if on_card else torch.float32
name = f'PyTorch {torch.__version__}, {options.device}, {str(kind)[6:]}'


def timed(work):
    if on_card:
        torch.cuda.synchronize()
    clock = time.perf_counter if on_card else time.process_time
    began = clock()
    work()
    if on_card:
        torch.cuda.synchronize()
    return clock() - began


def made(model):
    return model.to(options.device, kind).eval()


def row(*cells):
    print('|', ' | '.join(str(cell) for cell in cells), '|', flush=True)


@torch.inference_mode()
def pictures():
    side, layers, size, heads = (256, 12, 768, 12) if small else (64, 4, 192, 3)
    config = transformers.SiglipVisionConfig(hidden_size=size, intermediate_size=4 * size, num_hidden_layers=layers,
                                             num_attention_heads=heads, image_size=side, patch_size=16)
    model = made(transformers.SiglipVisionModel(config))
    for batch in map(int, options.batches.split(',')):
        pixels = torch.randn(batch, 3, side, side, device=options.device, dtype=kind)
        model(pixel_values=pixels)
        took = sorted(timed(lambda: model(pixel_values=pixels)) for _ in range(3))[1]
        row('pictures', f'{name}: SigLIP {side} px, batch {batch}', f'{batch / took:.1f} a second')


@torch.inference_mode()
def speech():
    layers, heads, size, pieces = (12, 12, 768, 51865) if small else (2, 2, 128, 2000)
    config = transformers.WhisperConfig(
        vocab_size=pieces, d_model=size, encoder_layers=layers, decoder_layers=layers, encoder_attention_heads=heads,
        decoder_attention_heads=heads, encoder_ffn_dim=4 * size, decoder_ffn_dim=4 * size, pad_token_id=0,
        bos_token_id=0, eos_token_id=0, decoder_start_token_id=1, suppress_tokens=None, begin_suppress_tokens=None)
    model = made(transformers.WhisperForConditionalGeneration(config))
    features = torch.randn(1, 80, 3000, device=options.device, dtype=kind)

    def write(steps):
        heard = model.model.encoder(features)
        past, tokens = None, torch.tensor([[1, 2, 3]], device=options.device)
        for _ in range(steps):
            out = model(encoder_outputs=heard, decoder_input_ids=tokens, past_key_values=past, use_cache=True)
            past, tokens = out.past_key_values, out.logits[:, -1:].argmax(-1)

    write(4)
    few, many = 4, 100 if on_card else 36
    short, long = timed(lambda: write(few)), timed(lambda: write(many))
    each = (long - short) / (many - few)
    row('speech', f'{name}: Whisper {options.size}, one token', f'{each * 1000:.1f} ms')
    row('speech', f'{name}: Whisper {options.size}, window of 30 s without its tokens', f'{(short - few * each) * 1000:.0f} ms')


if not on_card:
    torch.set_num_threads(1)
for part in (pictures, speech):
    try:
        part()
    except Exception as error:
        row('failed', f'{name}: {part.__name__}', str(error).splitlines()[0].replace('|', '/'))
