import { z } from 'zod'
import { dataRule } from '../../../../src/core/words/fence.ts'
import { cropFrame, decodeImage, encodeJpeg } from '../../../../src/media/image.ts'
import { picturesAt } from '../../../make/checks/parts/pictures.ts'
import { plainWords } from '../../../make/checks/parts/words.ts'
import { type Sighting, sightRoles } from '../../../make/item.ts'
import { writtenBy } from '../../../make/machine/author.ts'
import type { MakeStage } from '../../../make/recipe.ts'
import type { Found } from './lists.ts'
import prompts from './prompts.json' with { type: 'json' }

const maxPictures = 24

const Outfits = z.strictObject({
  outfits: z.array(z.strictObject({ outfit: z.string().min(3).max(160), picture: z.int().min(1) })).min(1),
})

// What each person wears, in order, and from when: a model that sees names it from the crops, and is not told who it is.
export const outfitStage: MakeStage<unknown, Found> = {
  name: 'outfits',
  version: '1',
  role: 'look',
  prompts: { outfits: `${prompts.outfits}\n${dataRule}` },
  lacks: ({ sightings }) =>
    sightRoles.filter(role => sightings?.by[role] === 'off').map(role => `models.${role} is off`),
  units: ({ video_id, sightings }, { author, before }) =>
    'model' in author
      ? (sightings?.people ?? [])
          .filter(({ looks }) => !before || looks.length > 0)
          .map((input, at) => ({ unit: `${video_id}/outfits${at + 1}`, input }))
      : [],
  calls: () => 1,
  make: async ({ unit, input }, { record, author, prompts, frames }) => {
    const { name, appears, looks } = input as Sighting
    const every = Math.max(1, looks.length / maxPictures)
    const shown = looks.filter((_, at) => Math.floor(at / every) > Math.floor((at - 1) / every))
    const times = shown.map(({ time }) => time)
    const crops = async () => {
      const whole = await Promise.all((await frames(times)).map(jpeg => decodeImage(jpeg)))
      return Promise.all(shown.map(({ box }, at) => encodeJpeg(cropFrame(whole[at]!, box))))
    }
    const wanted = {
      ...{ unit, system: prompts.outfits ?? '', name: 'outfits', shape: Outfits, temperature: 0.2, maxTokens: 2000 },
      prompt: `There are ${shown.length} pictures.`,
      pictures: await picturesAt(record, times, crops),
      faultOf: (value: z.infer<typeof Outfits>) => wrongOrder(value, shown.length),
    }
    return writtenBy(author, wanted, ({ outfits }) => {
      const entries = outfits.map(({ outfit, picture }) => ({ text: outfit, rows: [], from: times[picture - 1] ?? 0 }))
      return { list: 'outfits', people: [{ name, entries, appears }] } as Found
    })
  },
}

// Each begins at a later picture than the one before, and is another.
function wrongOrder({ outfits }: z.infer<typeof Outfits>, pictures: number): string | undefined {
  for (const [at, { outfit, picture }] of outfits.entries()) {
    const before = outfits[at - 1]
    if (picture > pictures) return `there is no picture ${picture}, only ${pictures}`
    if (before && picture <= before.picture) return `picture ${picture} comes after picture ${before.picture}`
    if (before && plainWords(before.outfit).join() === plainWords(outfit).join())
      return `"${outfit}" is named twice in a row`
  }
}
