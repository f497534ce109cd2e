import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chatModels } from '../../models/chat/index.ts'
import siglip from '../../models/embed-image/siglip.ts'
import { cudaLibraries, readCudaNeeds } from '../../models/onnx/cuda-libraries.ts'
import { Device, type OnnxSettings } from '../../models/onnx/device.ts'
import { openOnnxSession } from '../../models/onnx/session.ts'
import { openWhisper } from '../../models/transcribe/whisper/model.ts'
import { WhisperSettings } from '../../models/transcribe/whisper/settings.ts'
import { type Host, placeText, type RanOn } from '../../src/core/backend.ts'
import { seededRandom } from '../../src/core/basics/numbers.ts'
import { textContent } from '../../src/core/chat.ts'
import { errorText } from '../../src/core/errors.ts'
import { examineGpu } from '../../src/runtime/models/doctor/gpu.ts'

// Measures the models of scripts/gpu/true_size.py by the paths of the product, and prints rows of a Markdown table.
//   bench.ts MODELS FIXTURES [--device cuda] [--size small] [--precision fp16] [--decoder q8] [--threads 1]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    device: { type: 'string', default: 'cuda' },
    size: { type: 'string', default: 'small' },
    precision: { type: 'string', default: 'fp16' },
    decoder: { type: 'string' },
    threads: { type: 'string' },
    only: { type: 'string', default: 'doctor,pictures,speech,language' },
    batches: { type: 'string', default: '1,4,16,32,64' },
  },
})
const [models = '', fixtures = ''] = positionals
const device = Device.parse(values.device)
const isSmall = values.size === 'small'
const endings: Record<string, string> = { fp32: '', fp16: '_fp16', q8: '_quantized' }
const file = (model: string, part: string, precision = values.precision) =>
  join(models, model, 'onnx', `${part}${endings[precision]}.onnx`)
const settings: OnnxSettings = {
  device,
  precision: values.precision,
  threads: values.threads ? Number(values.threads) : 'auto',
}

const scratch = mkdtempSync(join(tmpdir(), 'longtake-measure-'))
process.env.TMPDIR = scratch // what is profiled lies there
const signal = new AbortController().signal
const ran = new Map<string, RanOn>()
const host: Host = {
  folder: scratch,
  environment: process.env,
  signal,
  say: line => console.error(line),
  ran: report => void ran.set(report.model, report),
}

const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
// By the clock; on the processor by its own time, which other programs do not lengthen.
const clock = () => {
  const { user, system } = process.cpuUsage()
  return device === 'cpu' ? (user + system) / 1e6 : performance.now() / 1000
}
const seconds = async (work: () => Promise<unknown>) => {
  const began = clock()
  await work()
  return clock() - began
}
const noise = (length: number) => {
  const draw = seededRandom(7)
  return Float32Array.from({ length }, () => draw() * 2 - 1)
}

// The highest of what is looked at while the work goes on.
async function highest<Result>(look: () => Promise<number>, work: () => Promise<Result>): Promise<[Result, number]> {
  let most = await look()
  const timer = setInterval(async () => {
    most = Math.max(most, await look())
  }, 250)
  try {
    return [await work(), Math.max(most, await look())]
  } finally {
    clearInterval(timer)
  }
}

async function profiled(): Promise<number> {
  const folders = readdirSync(scratch).filter(name => name.startsWith('longtake-ran-'))
  const files = folders.flatMap(name => readdirSync(join(scratch, name)).map(found => join(scratch, name, found)))
  return files.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
}

// Of the card where there is one, else of this process, MB.
function memory(): Promise<number> {
  if (device === 'cpu') return Promise.resolve(process.memoryUsage.rss() / 1e6)
  return new Promise(resolve =>
    execFile('nvidia-smi', ['--query-gpu=memory.used', '--format=csv,noheader,nounits'], (_, out) =>
      resolve(Number.parseInt(out ?? '', 10) * 1.048576 || 0),
    ),
  )
}

async function doctor(): Promise<void> {
  const { steps } = await examineGpu(host)
  for (const { what, state, detail } of steps) row('doctor gpu', what, `${state}: ${detail.replaceAll('|', '/')}`)
  const folder = cudaLibraries()?.folder
  const provider = folder && join(folder, 'libonnxruntime_providers_cuda.so')
  if (!provider || !existsSync(provider)) return
  const { cuda, driver, needs } = readCudaNeeds(provider)
  row('the CUDA provider', `asks for CUDA ${cuda}, driver ${driver}`, needs.map(need => need.file).join(' '))
}

async function pictures(): Promise<void> {
  const side = isSmall ? 256 : 64
  const session = await openOnnxSession(file('siglip', 'vision_model'), settings, host)
  let best = { rate: 0, size: 1 }
  for (const size of values.batches.split(',').map(Number)) {
    const pixels = { type: 'float32' as const, data: noise(size * 3 * side * side), dims: [size, 3, side, side] }
    await session.run({ pixel_values: pixels })
    const times: number[] = []
    for (let i = 0; i < 3; i++) times.push(await seconds(() => session.run({ pixel_values: pixels })))
    const rate = size / times.sort((a, b) => a - b)[1]!
    if (rate > best.rate) best = { rate, size }
    row('pictures', `SigLIP ${side} px, batch ${size}`, `${rate.toFixed(1)} a second`)
  }
  await session.close()

  const folder = join(scratch, 'siglip')
  cpSync(join(fixtures, 'siglip'), folder, { recursive: true })
  cpSync(file('siglip', 'vision_model'), join(folder, 'onnx', `vision_model${endings[values.precision]}.onnx`))
  const config = JSON.parse(readFileSync(join(folder, 'preprocessor_config.json'), 'utf8'))
  const resized = { ...config, size: { height: side, width: side } }
  writeFileSync(join(folder, 'preprocessor_config.json'), JSON.stringify(resized))
  const chosen = { folder, device, precision: values.precision, batch: best.size, threads: settings.threads }
  const encoder = await siglip.open(siglip.settings.parse(chosen), host)
  const frames = Array.from({ length: Math.max(16, best.size * (device === 'cpu' ? 1 : 8)) }, (_, at) => ({
    time: at,
    width: 640,
    height: 360,
    rgb: Uint8Array.from({ length: 640 * 360 * 3 }, (_, i) => (i * 31 + at * 7) & 255),
  }))
  const rate = frames.length / (await seconds(() => encoder.images(frames, signal)))
  row('pictures', `SigLIP from frames of 640x360, batch ${best.size}`, `${rate.toFixed(1)} a second`)
  row('feeding', 'rate from frames / rate of the model alone', (rate / best.rate).toFixed(2))
  await encoder.close?.()
}

async function speech(): Promise<void> {
  const [layers, heads, size, pieces] = isSmall ? [12, 12, 768, 51_865] : [2, 2, 128, 2000]
  const decoder = values.decoder ?? values.precision
  const files = {
    name: `whisper ${values.size}`,
    encoder: file('whisper', 'encoder_model'),
    decoder: file('whisper', 'decoder_model', decoder),
    decoderWithPast: file('whisper', 'decoder_with_past_model', decoder),
  }
  const shape = { decoder_layers: layers, decoder_attention_heads: heads, d_model: size, max_target_positions: 448 }
  const chosen = { ...WhisperSettings.parse({}), ...settings, decoderPrecision: decoder }
  const model = await openWhisper(files, shape as Parameters<typeof openWhisper>[1], chosen, host)
  const window = { data: noise(80 * 3000), mels: 80, frames: 3000 }
  const begin = Math.floor(pieces * 0.96)
  const rules = { begin, noTimestamps: begin - 1, end: begin - 2, suppress: [begin - 2], suppressFirst: [] }
  const write = (maxTokens: number) =>
    seconds(() =>
      model.write(
        [window],
        { start: 0, prompt: [1, 2, 3], rules, maxTokens, heads: [], temperature: 0, seed: 1 },
        signal,
      ),
    )
  const [, bytes] = await highest(profiled, () => write(4)) // the first run is recorded, to read back what ran where
  const [few, many] = [4, device === 'cpu' ? 36 : 100]
  const short = await write(few)
  const long = await write(many)
  const perToken = (long - short) / (many - few)
  await model.close()
  const about = `Whisper ${values.size}, decoder ${decoder}`
  row('speech', `${about}: one token`, `${(perToken * 1000).toFixed(1)} ms`)
  row('speech', `${about}: window of 30 s without its tokens`, `${((short - perToken * few) * 1000).toFixed(0)} ms`)
  const window120 = short - perToken * few + 120 * perToken
  row('speech', `${about}: real time, windows of 120 tokens`, `${(30 / window120).toFixed(1)} times (computed)`)
  row('speech', 'recorded to read back what ran where', `${(bytes / 1e6).toFixed(1)} MB at most`)
}

async function language(): Promise<void> {
  const folder = join(scratch, 'chat')
  cpSync(join(fixtures, 'chat'), folder, { recursive: true })
  const [layers, size, heads, groups, pieces] = isSmall ? [30, 576, 9, 3, 49_280] : [2, 96, 3, 1, 600]
  const config = {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    hidden_size: size,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: groups,
    head_dim: size / heads,
    vocab_size: pieces,
    max_position_embeddings: 4096,
    eos_token_id: 516,
    bos_token_id: 516,
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  cpSync(file('chat', 'model'), join(folder, 'onnx', `model${endings[values.precision]}.onnx`))
  const chosen = { folder, device, precision: values.precision, threads: settings.threads }
  const model = await chatModels.open('onnx', chosen, host)
  const ask = (maxTokens: number) =>
    model.reply(
      { purpose: 'plan', messages: [{ role: 'user', content: textContent('What rings?') }], maxTokens },
      signal,
    )
  await ask(4)
  let tokens = 0
  const took = await seconds(async () => {
    tokens = (await ask(device === 'cpu' ? 32 : 128)).usage.outputTokens
  })
  row('language in process', 'decoder of SmolVLM-256M (135M)', `${(tokens / took).toFixed(1)} tokens a second`)
  await model.close?.()
}

const parts = { doctor, pictures, speech, language }
if (values.only.includes('doctor')) {
  row('what', 'how', 'result')
  row('---', '---', '---')
  row('machine', `Node ${process.version}, ${cpus().length} cores`, cpus()[0]?.model ?? '')
  row('times', device === 'cpu' ? 'processor time of all threads' : 'by the clock', `load ${loadavg()[0]?.toFixed(1)}`)
}
for (const name of values.only.split(',') as (keyof typeof parts)[]) {
  ran.clear()
  try {
    const [, most] = await highest(memory, parts[name])
    if (name !== 'doctor')
      row('memory', `${name}, ${device === 'cpu' ? 'resident' : 'used on the card'}`, `${most.toFixed(0)} MB`)
    for (const report of ran.values())
      row(
        'where',
        report.model,
        `${placeText(report)}${report.operations ? `: ${JSON.stringify(report.operations)}` : ''}`,
      )
  } catch (error) {
    row('failed', name, errorText(error).split('\n')[0]!.replaceAll('|', '/'))
  }
}
rmSync(scratch, { recursive: true, force: true })
