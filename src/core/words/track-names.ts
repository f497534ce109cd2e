// What evidence is of, in the order in which lists show it. caption: what a vision model saw in a clip; person: who was recognised where.
// Without zod, so that the help and the page load none.
export const trackNames = [
  'speech',
  'sound',
  'text',
  'picture',
  'shot',
  'summary',
  'claim',
  'caption',
  'person',
] as const
