import type { CommandRun } from '../../../src/cli/command.ts'
import { exitCodes } from '../../../src/cli/fail.ts'
import { result } from '../../../src/cli/output.ts'
import { alignColumns, formatBytes } from '../../../src/cli/show/format.ts'
import { visibleFileName, visibleLine } from '../../../src/core/words/visible-text.ts'
import { withCluster } from './with-cluster.ts'

// Makes the rows again from what lies in the store.
const adopt: CommandRun = call =>
  withCluster(call, async ({ database, store }) => {
    const { adoptObjects } = await import('../store/upkeep/adopt.ts')
    const draw = (objects: number, bytes: number) => {
      if (call.terminal.live && !call.has('--quiet'))
        call.terminal.draw([`  ${objects} objects, ${formatBytes(bytes)} read`])
    }
    const report = await adoptObjects({ database, store, signal: call.signal, watch: draw })
    call.terminal.draw([])
    const { adopted, sources, known, spare, damaged, foreign, bytes } = report
    result(call, { store: store.address, ...report }, [
      `${adopted} results and ${sources} uploaded videos have a row again (${formatBytes(bytes)} read); ${known} had one.`,
      ...(spare > 0
        ? [`${spare} further packs of results that have a row stay until "longtake cluster cleanup".`]
        : []),
      ...damaged.map(
        ({ object, why }) => `${visibleFileName(object)} is damaged and stays without a row: ${visibleLine(why)}`,
      ),
      ...foreign.map(object => `${visibleFileName(object)} is not an object of a cluster.`),
    ])
    return damaged.length > 0 ? exitCodes.partial : exitCodes.ok
  })

// Removes from the store what no row names, and with --sound the sound of videos whose stages have heard it.
const cleanup: CommandRun = call =>
  withCluster(call, async ({ database, store }) => {
    const { cleanUpStore } = await import('../store/upkeep/cleanup.ts')
    const { signal } = call
    const choice = { sound: call.has('--sound'), dryRun: call.has('--dry-run') }
    const report = await cleanUpStore({ database, store, home: await call.home(), signal, ...choice })
    const { freed, bytesFreed, young, foreign, dryRun } = report
    result(call, { store: store.address, ...report }, [
      ...alignColumns(freed.map(({ object, why, bytes }) => [formatBytes(bytes), why, visibleFileName(object)])),
      ...(young > 0 ? [`Kept ${young} objects without a row that are less than a day old.`] : []),
      ...(foreign > 0 ? [`Kept ${foreign} objects that no cluster created.`] : []),
      `${formatBytes(bytesFreed)} ${dryRun ? 'would be freed' : 'freed'}.`,
    ])
    return exitCodes.ok
  })

export const clusterStoreCommands = { adopt, cleanup }
