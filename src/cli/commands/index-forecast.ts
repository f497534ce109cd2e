import type { IndexForecast } from '../../core/runtime.ts'
import type { Call } from '../call.ts'
import { exitCodes } from '../fail.ts'
import { result } from '../output.ts'
import { forecastLines, totalCosts } from '../show/forecast-lines.ts'

// Says what indexing would take, and stops.
export async function forecastVideos(call: Call): Promise<number> {
  const runtime = await call.runtime()
  const forecasts: IndexForecast[] = []
  for (const path of call.arguments) forecasts.push(await runtime.forecast(path, { signal: call.signal }))
  result(call, { videos: forecasts, total: totalCosts(forecasts) }, forecastLines(forecasts))
  return exitCodes.ok
}
