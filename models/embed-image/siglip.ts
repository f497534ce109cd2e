import { twoTowers } from './two-towers.ts'

// SigLIP and SigLIP 2 at a fixed size, which were trained on texts padded to the full length.
export default twoTowers({
  summary: 'pictures and words in one space by SigLIP or SigLIP 2',
  models: {
    base: 'onnx-community/siglip2-base-patch16-256-ONNX',
    so400m: 'onnx-community/siglip2-so400m-patch16-256-ONNX',
    'siglip1-base': 'Xenova/siglip-base-patch16-224',
  },
  standard: 'base',
  outputs: ['pooler_output', 'image_embeds', 'text_embeds'],
  maxTokens: 64,
  padding: 'max_length',
})
