// The place of the kept frame that is nearest to a time; undefined where no frame was kept.
export function nearestStill(stills: readonly { time: number }[], time: number): number | undefined {
  const away = stills.map(still => Math.abs(still.time - time))
  return away.length === 0 ? undefined : away.indexOf(Math.min(...away))
}
