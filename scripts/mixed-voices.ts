import { writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { speak } from '../src/media/speak.ts'
const lines = ['the museum opens at nine thirty every morning except monday','a ticket costs twelve dollars and children pay nothing at all','the old lighthouse was closed because the stairs were rotten','please do not touch the paintings in room number seven','our train leaves from platform four at ten fifteen in the evening','it will rain in lisbon on friday with strong winds from the west']
async function mix(name: string, voices: string[], turns: number) {
  const parts: Float32Array[] = []; const rttm: string[] = []; let at = 0
  for (let i = 0; i < turns; i++) {
    const voice = voices[i % voices.length]!
    const s = await speak(lines[i % lines.length]!, voice as never)
    rttm.push(`SPEAKER ${name} 1 ${(at/16000).toFixed(3)} ${(s.length/16000).toFixed(3)} <NA> <NA> ${voice} <NA> <NA>`)
    const pause = new Float32Array(8000); parts.push(s, pause); at += s.length + 8000
  }
  const all = new Float32Array(at); let o = 0; for (const p of parts) { all.set(p, o); o += p.length }
  const noise = all.map(x => x + (Math.random() - 0.5) * 0.002)
  execFileSync('ffmpeg', ['-y','-v','error','-f','f32le','-ar','16000','-ac','1','-i','-',`/tmp/mixed-${name}.wav`], { input: Buffer.from(noise.buffer) })
  writeFileSync(`/tmp/mixed-${name}.rttm`, rttm.join('\n') + '\n')
}
const all = ['slt','rms','awb','kal16']
for (let i = 0; i < 4; i++) for (let j = i + 1; j < 4; j++) await mix(`${all[i]}-${all[j]}`, [all[i]!, all[j]!], 13)
await mix('all', all, 24)
