import { isAddress } from '../../core/basics/address.ts'
import type { IndexForecast } from '../../core/runtime.ts'
import { stageTitle } from '../../core/words/stage-title.ts'
import type { Call } from '../call.ts'
import { exitCodes } from '../fail.ts'
import { listVideos } from '../named-videos.ts'
import { result } from '../output.ts'
import { forecastLines, totalCosts } from '../show/forecast-lines.ts'

// Says what indexing would take, and stops.
export async function forecastVideos(call: Call): Promise<number> {
  const runtime = await call.runtime()
  const forecasts: IndexForecast[] = []
  for (const argument of call.arguments)
    for (const path of isAddress(argument) ? [argument] : await listVideos(call, argument))
      forecasts.push(await runtime.videos.forecast(path, { signal: call.signal }))
  result(call, { videos: forecasts, total: totalCosts(forecasts) }, forecastLines(forecasts))
  return exitCodes.ok
}

// What --effort has models make for the index of a video is said before they are asked.
export async function remarkCosts(call: Call, path: string): Promise<void> {
  const effort = call.text('--effort')
  if (effort !== 'high' && effort !== 'max') return
  const { costs } = await (await call.runtime()).videos.forecast(path, { signal: call.signal })
  for (const { stage, densities } of costs)
    for (const { calls, inputTokens, outputTokens, money } of densities.filter(
      ({ isSet, calls }) => isSet && calls > 0,
    ))
      call.remark(
        `--effort ${effort}: ${stageTitle(stage)} asks a model at most ${calls} times, ${(inputTokens + outputTokens).toLocaleString('en-US')} tokens${money === undefined ? '' : `, ${money.toFixed(2)}`}.`,
      )
}
