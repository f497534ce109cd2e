import { twoTowers } from './two-towers.ts'

// CLIP was trained on texts as long as they are.
export default twoTowers({
  summary: 'pictures and words in one space by CLIP',
  models: {
    'base-patch32': 'Xenova/clip-vit-base-patch32',
    'base-patch16': 'Xenova/clip-vit-base-patch16',
    'large-patch14': 'Xenova/clip-vit-large-patch14',
  },
  standard: 'base-patch32',
  outputs: ['image_embeds', 'text_embeds'],
  maxTokens: 77,
  padding: 'longest',
})
