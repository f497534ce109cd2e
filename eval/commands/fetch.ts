import { resolve } from 'node:path'
import type { Call } from '../../src/cli/call.ts'
import type { CommandRun } from '../../src/cli/command.ts'
import { result } from '../../src/cli/output.ts'
import { alignColumns, formatBytes } from '../../src/cli/show/format.ts'
import { pullProgress } from '../../src/cli/show/pull-progress.ts'
import { unknownName } from '../../src/core/errors.ts'
import { countPhrase } from '../../src/core/words/counted.ts'
import { visibleFileName, visibleLine } from '../../src/core/words/visible-text.ts'
import { type DataPart, dataParts } from '../benchmarks/data-guide.ts'
import { type DataFetch, openFetch } from '../benchmarks/fetch/fetch-data.ts'
import { quoteArgument } from './bench-request.ts'

const fetch: CommandRun = async call => {
  const benchmark = call.argument()
  const to = call.path('--to') ?? resolve(call.world.cwd, benchmark)
  const request = {
    benchmark,
    what: wantedParts(call),
    split: call.text('--split'),
    revision: call.text('--revision'),
    to,
  }
  const { home, ...world } = await call.host()
  const fetchWork = { host: { folder: home, ...world }, onProgress: pullProgress(call) }
  const fetching = await openFetch(request, fetchWork)
  const { plan } = fetching
  const dryRun = call.has('--dry-run')
  const document = {
    benchmark,
    to,
    dryRun,
    dataset: plan.dataset,
    commit: plan.commit,
    licence: plan.licence,
    terms: plan.terms,
    gated: plan.gated,
    bytes: plan.bytes,
    notes: fetching.notes,
    changes: plan.changes,
    files: plan.files.map(({ file: { path, bytes, checksum }, here }) => ({ path, bytes, here, checksum })),
  }
  if (dryRun) {
    result(call, document, planLines(fetching))
    return 0
  }
  for (const line of planLines(fetching)) call.remark(line)
  await fetching.carryOut()
  call.terminal.draw([])
  const split = request.split === undefined ? '' : ` --split ${quoteArgument(request.split)}`
  result(call, document, [
    `Everything is in ${visibleFileName(to)}; data.lock.json there pins ${plan.commit.slice(0, 7)} and the hashes.`,
    `Now: longtake bench videos ${benchmark} --data ${quoteArgument(visibleFileName(to))}${split}`,
  ])
  return 0
}

function wantedParts(call: Call): DataPart[] {
  const named = call.list('--what').flatMap(names => names.split(','))
  const unknown = named.find(name => !dataParts.some(part => part === name))
  if (unknown !== undefined) throw unknownName('part of the data', unknown, dataParts)
  return named.length === 0 ? ['annotations'] : dataParts.filter(part => named.includes(part))
}

const maxRows = 40

function planLines({ plan, videos, elsewhere, notes }: DataFetch): string[] {
  const { dataset, commit, licence, gated, terms, files, bytes } = plan
  const rows = files
    .slice(0, maxRows)
    .map(({ file, here }) => [visibleLine(file.path), here ? 'here' : formatBytes(file.bytes)])
  return [
    `${dataset} at ${commit.slice(0, 7)}`,
    `Licence: ${licence === undefined ? 'its card states none' : `${visibleLine(licence)} by its card`}${gated ? '; terms to accept on its page' : ''}. As we know it: ${terms}.`,
    `Videos: ${videos}.`,
    ...(elsewhere === undefined ? [] : [`${elsewhere}.`]),
    ...notes.map(visibleLine),
    ...alignColumns(rows),
    ...(files.length > maxRows ? [`and ${files.length - maxRows} more files`] : []),
    `${countPhrase(files.length, 'file')}, ${formatBytes(bytes)} to fetch.`,
  ]
}

export const benchFetchCommands = { fetch }
