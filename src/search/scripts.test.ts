import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stamp } from '../core/evidence.ts'
import { buildTextIndex, openTextIndex, type TextIndex } from './text-index.ts'

// Each line, questions that it must answer, and questions that it must not.
const lines: [script: string, line: string, found: string[], missed: string[]][] = [
  ['Hindi', 'हिन्दी भाषा सुंदर है', ['हिन्दी', 'भाषा'], ['षाभ', 'दनह']],
  ['Bengali', 'বাংলা ভাষায় কথা', ['বাংলা'], ['লব']],
  ['Tamil', 'தமிழ் மொழி இனிது', ['தமிழ்', 'மொழி'], ['ழமத']],
  ['Thai', 'การประชุมสำคัญมาก', ['ประชุม', 'สำคัญ', 'การประชุม', 'สำคัญมาก'], ['สะพาน', 'มชร']],
  ['Lao', 'ສະບາຍດີທຸກຄົນ', ['ທຸກຄົນ'], ['ຂົວ', 'ຍດກ']],
  ['Khmer', 'ភ្នំពេញជារាជធានី', ['រាជធានី'], ['ស្ពាន', 'ធនរ']],
  ['Burmese', 'မြန်မာနိုင်ငံ', ['နိုင်ငံ'], ['တံတား', 'ငနမ']],
  ['Chinese', '我们明天去北京大学参观', ['北京大学', '北京', '参观', '京大'], ['上海']],
  ['Japanese', '新しいコーヒーを東京で飲みます', ['コーヒー', '東京', 'ｺｰﾋｰ'], ['大阪']],
  ['Korean', '다리는 토요일에 개통됩니다', ['토요일에', '다리는'.normalize('NFD')], ['금요일']],
  ['Arabic with vowels', 'هٰذَا كِتَابٌ جَدِيدٌ', ['كتاب', 'جديد'], ['قلم']],
  ['Persian with joiners', 'من می‌خواهم یک کتاب بخرم', ['میخواهم', 'بخرم', 'يك'], ['قلم']],
  ['Hebrew with points', 'שָׁלוֹם חָבֵר', ['שלום', 'חבר'], ['גשר']],
  ['Greek in capitals', 'ΤΟ ΤΕΛΟΣ ΤΗΣ ΟΔΟΥ ΤΗΣ ΑΘΗΝΑΣ', ['τέλος', 'Αθήνας'], ['γέφυρα']],
  ['Russian', 'Ещё одна ёлка для детей', ['еще', 'ЁЛКА'], ['мост']],
  ['Turkish', 'İSTANBUL’DA SICAK IŞIK', ['sıcak', 'ışık', 'SICAK'], ['köprü']],
  ['German', 'Die STRASSE ist weiß', ['Straße', 'WEISS'], ['Brücke']],
  ['decomposed Latin', 'Une cre\u0300me bru\u0302le\u0301e', ['crème', 'brûlée', 'creme'], ['pont']],
  ['Vietnamese', 'Cây cầu mới qua sông', ['cầu', 'cau', 'sông'.normalize('NFD')], ['đường']],
  ['digits of their own', 'किराया १२५० रुपये', ['1250', '१२५०'], ['125']],
]

let index: TextIndex
const rows = lines.map(([, text], at) =>
  stamp({ span: { start: at * 10, end: at * 10 + 8 }, track: 'speech', text }, 'v', 'x/y'),
)
beforeAll(async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'longtake-scripts-')), 'words.sqlite')
  await buildTextIndex(file, rows)
  index = await openTextIndex(file)
})
afterAll(() => index.close())

describe('a line is found by its words in', () => {
  test.each(lines)('%s', (script, _, found, missed) => {
    const own = rows[lines.findIndex(([name]) => name === script)]!.id
    const first = (query: string) => index.search(query, { limit: 3 }).filter(hit => hit.coverage > 0.9)[0]?.id
    for (const query of found) expect(first(query), query).toBe(own)
    for (const query of missed) expect(first(query), query).not.toBe(own)
  })
})
