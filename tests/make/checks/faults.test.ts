import { describe, expect, test } from 'vitest'
import { checks } from '../../../eval/recipes/checks/index.ts'
import type { CheckGiven, DraftItem, ItemCheck } from '../../../eval/recipes/item.ts'
import { type Fault, faults } from './faults.ts'
import { clean, given, type Minds, records, unsure } from './fixture.ts'

const minds: Minds = { blind: () => 'B', glance: unsure }

function itemsWith({ items, alone }: Fault): DraftItem[] {
  const ids = new Set(items.map(item => item.id))
  return alone ? items : [...clean.filter(item => !ids.has(item.id)), ...items]
}

function givenFor(fault: Fault): CheckGiven {
  const own = new Map((fault.records ?? []).map(record => [record.video_id, record]))
  const known = given({ ...minds, ...fault.minds }, fault.more)
  return {
    ...known,
    record: video => own.get(video) ?? (video.startsWith('other') ? records.talk! : known.record(video)),
  }
}

// Whether a check stops one of the planted items, or warns of the set.
async function speaks(check: ItemCheck, fault: Fault): Promise<boolean> {
  const items = itemsWith(fault)
  const own = givenFor(fault)
  const planted = new Set(fault.items.map(item => item.id))
  const verdicts = await check.run(items, own)
  expect(verdicts.map(({ item }) => item).toSorted()).toEqual(items.map(({ id }) => id).toSorted())
  const isStopped = verdicts.some(({ item, outcome }) => outcome !== 'pass' && planted.has(item))
  return check.name === 'shallow' || check.name === 'spread'
    ? (check.warnings?.(items, own).length ?? 0) > 0
    : isStopped
}

describe.each(checks.map(check => ({ check, name: `K${check.k} ${check.name}` })))('$name', ({ check }) => {
  const planted = faults[check.name] ?? []

  test('has twelve planted faults or more, and stops each', async () => {
    expect(planted.length).toBeGreaterThanOrEqual(12)
    expect(clean.length).toBeGreaterThanOrEqual(20)
    const missed = []
    for (const fault of planted) if (!(await speaks(check, fault))) missed.push(fault.name)
    expect(missed).toEqual([])
  })

  test('stops no clean item', async () => {
    const verdicts = await check.run(clean, given(minds))
    const stopped = verdicts.filter(({ outcome }) => outcome === 'reject' || outcome === 'again')
    expect(stopped).toEqual([])
    if (check.name !== 'shallow') expect(verdicts.filter(({ outcome }) => outcome === 'flag')).toEqual([])
    expect(check.warnings?.(clean, given(minds)) ?? []).toEqual(
      check.role === 'blind' ? [expect.stringContaining('24 open')] : [],
    )
  })

  test('switched off, it lets a planted fault through', async () => {
    const others = checks.filter(other => other !== check)
    const through = []
    for (const fault of planted) {
      let isStopped = false
      for (const other of others) isStopped ||= await speaks(other, fault)
      if (!isStopped) through.push(fault.name)
      if (through.length > 0) break
    }
    expect(through).not.toEqual([])
  })

  test('says the same of shuffled items', async () => {
    const turned = [...clean.slice(7).toReversed(), ...clean.slice(0, 7)]
    const sorted = async (items: DraftItem[]) =>
      (await check.run(items, given(minds))).toSorted((a, b) => (a.item < b.item ? -1 : 1))
    expect(await sorted(turned)).toEqual(await sorted(clean))
  })
})
