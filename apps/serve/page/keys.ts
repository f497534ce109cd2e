import type { KeyGroup } from '../../../src/page/key-list.tsx'

export const keyGroups: KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      ['/ Ctrl-K', 'ask or search all videos, go to a video or a page'],
      ['?', 'all keys'],
    ],
  },
  {
    title: 'Player',
    keys: [
      ['space k', 'play, pause'],
      ['j l', 'back, forward 10 s'],
      ['← →', 'back, forward 5 s'],
      [', .', 'previous, next frame'],
    ],
  },
  {
    title: 'Lanes',
    keys: [
      ['[ ]', 'previous, next row of the lane'],
      ['↑ ↓', 'lane above, below'],
      ['+ -', 'zoom'],
      ['0', 'all of the video'],
    ],
  },
  {
    title: 'Answers',
    keys: [
      ['a', 'ask'],
      ['c', 'cite this moment in the next question'],
      ['n p', 'next, previous citation'],
    ],
  },
  {
    title: 'Run',
    keys: [
      ['← p', 'previous step'],
      ['→ n', 'next step'],
      ['Home End', 'first, last step'],
    ],
  },
]
