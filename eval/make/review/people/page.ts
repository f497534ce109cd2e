import type { PeopleForm } from '../../../recipes/recipe.ts'
import { type PageFile, pageFile } from '../../../report/page/page-file.ts'
import type { PeopleData } from '../page-data.ts'
import type { ReviewSet } from '../review-set.ts'

type PeoplePage = Pick<PeopleData, 'reviewer' | 'videos'> & { set: ReviewSet; form: PeopleForm }

export function peoplePage({ set, form, ...wish }: PeoplePage): PageFile {
  const types = form.types.map(({ name, kind, asks }) => ({ name, kind, asks }))
  const data: PeopleData = { ...wish, set: set.set.canary, negatives: form.negatives.max, types }
  return pageFile({ code: 'write', title: `Questions for a ${set.recipe.name} set`, data, media: 'served' })
}
