import { runProgram } from './program/run-program.ts'

const size = '960x320'
const wavInput = [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error'],
  ...['-protocol_whitelist', 'pipe', '-f', 'wav', '-i', 'pipe:0'],
]
const jpegOutput = ['-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2pipe', 'pipe:1']

// The JPEG of a spectrogram of our own WAV, with its axes.
export async function drawSpectrogram(wav: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
  const filter = `showspectrumpic=s=${size}:color=intensity:scale=log:legend=1`
  const args = [...wavInput, '-lavfi', filter, ...jpegOutput]
  const { stdout } = await runProgram('ffmpeg', args, { input: wav, timeoutSeconds: 60, maxStdoutBytes: 4e6, signal })
  return stdout
}
