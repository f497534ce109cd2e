import { withoutPictures } from './parts/without-pictures.ts'

// K11. Only title, genre and year; an episode is part of its title.
export const metadata = withoutPictures({
  k: 11,
  name: 'metadata only',
  given: 'Here is what is known of a video, and a question about it. You get no picture and no sound of it.',
  material({ meta: { title, genre, year } }) {
    const knownFields = Object.entries({ title, genre, year }).filter(([, value]) => value !== undefined)
    return knownFields.map(([name, value]) => `${name}: ${value}`).join('\n') || undefined
  },
})
