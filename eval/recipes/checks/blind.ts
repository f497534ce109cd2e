import { withoutPictures } from './parts/without-pictures.ts'

// K8. Only question and options.
export const blind = withoutPictures({
  k: 8,
  name: 'blind',
  given: 'Here is a question about a video. You get no picture and no sound of it.',
  material: () => '',
})
