import type { Hit } from '../video.ts'

// What found a hit and how well it fits: "words 0.83 and meaning 0.61".
export function foundBy({ lists, coverage, likeness }: Pick<Hit, 'lists' | 'coverage' | 'likeness'>): string {
  return lists
    .map(list => {
      const fit = list === 'words' ? coverage : likeness
      return fit === undefined ? list : `${list} ${fit.toFixed(2)}`
    })
    .join(' and ')
}
