import type { Frame } from '../../core/video.ts'

// The few signs that times and numbers of cells are written in, five pixels wide and seven high. Drawn here and not by a font of the
// machine, so that the same sheet is the same picture everywhere.
const signs: Readonly<Record<string, string>> = {
  '0': '.###. #...# #..## #.#.# ##..# #...# .###.',
  '1': '..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.',
  '2': '.###. #...# ....# ...#. ..#.. .#... #####',
  '3': '##### ...#. ..#.. ...#. ....# #...# .###.',
  '4': '...#. ..##. .#.#. #..#. ##### ...#. ...#.',
  '5': '##### #.... ####. ....# ....# #...# .###.',
  '6': '..##. .#... #.... ####. #...# #...# .###.',
  '7': '##### ....# ...#. ..#.. .#... .#... .#...',
  '8': '.###. #...# #...# .###. #...# #...# .###.',
  '9': '.###. #...# #...# .#### ....# ...#. .##..',
  ':': '..... ..#.. ..#.. ..... ..#.. ..#.. .....',
  '.': '..... ..... ..... ..... ..... .##.. .##..',
  '-': '..... ..... ..... ##### ..... ..... .....',
  '#': '.#.#. .#.#. ##### .#.#. ##### .#.#. .#.#.',
  ' ': '..... ..... ..... ..... ..... ..... .....',
}
const width = 5
const height = 7

export function sheetLetterHeight(scale: number): number {
  return height * scale
}

// White on what is there; a sign that is none of these is left out.
export function writeWord(frame: Frame, word: string, left: number, top: number, scale: number): void {
  for (const [at, letter] of [...word].entries()) {
    const rows = signs[letter]?.split(' ') ?? []
    for (const [y, row] of rows.entries())
      for (const [x, dot] of [...row].entries())
        if (dot === '#') fillBox(frame, left + (at * (width + 1) + x) * scale, top + y * scale, scale)
  }
}

function fillBox({ rgb, width, height }: Frame, left: number, top: number, side: number): void {
  for (let y = top; y < Math.min(top + side, height); y++)
    rgb.fill(255, (y * width + Math.min(left, width)) * 3, (y * width + Math.min(left + side, width)) * 3)
}
