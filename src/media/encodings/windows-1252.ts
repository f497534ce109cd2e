// What Windows-1252 has where Latin-1 has controls. Node 20 reads "windows-1252" as Latin-1 (nodejs/node #56542).
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, char => upper[char.charCodeAt(0) - 0x80])
}
