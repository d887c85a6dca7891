import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { VerificationError, verifyExport, type SignedSums } from '../src/verify.ts'

// A list of hashes and its signature, made by Node's own crypto as the server makes them.

const pair = () => generateKeyPairSync('ed25519')
const { publicKey, privateKey } = pair()
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const content = '{ "gpt-4o": {} }\n'
const hash = createHash('sha256').update(content).digest('hex')
const sums = `${'0'.repeat(64)}  other.json\n${hash}  litellm.json\n`
const signed: SignedSums = { sums, signature: sign(null, Buffer.from(sums), privateKey), publicKey: pem }
const file = { name: 'litellm.json', content }

test.each<[string, typeof file | { name: string; content: Uint8Array | ArrayBuffer }, Partial<SignedSums>]>([
  ['text', file, {}],
  ['bytes', { ...file, content: Buffer.from(content) }, { sums: Buffer.from(sums) }],
  ['a buffer', { ...file, content: new TextEncoder().encode(content).buffer }, {}],
  [
    'a key of base64 alone',
    file,
    { publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') },
  ],
  ['a key with the ends of lines of Windows', file, { publicKey: pem.replaceAll('\n', '\r\n') }],
])('%s that was signed passes', async (_, given, parts) => {
  await expect(verifyExport(given, { ...signed, ...parts })).resolves.toBeUndefined()
})

const other = pair().publicKey.export({ type: 'spki', format: 'pem' }).toString()
const bytes = new Uint8Array(signed.signature as Uint8Array)
const fingerprint = (key: string) =>
  createHash('sha256')
    .update(Buffer.from(key.split('\n')[1]!, 'base64'))
    .digest('hex')

test.each<[string, Partial<typeof file>, Partial<SignedSums>, string, string]>([
  [
    'content',
    { content: `${content} ` },
    {},
    'content',
    `litellm.json is ${createHash('sha256').update(`${content} `).digest('hex')}, and ${hash} was signed`,
  ],
  ['a file under the name of another', { name: 'other.json' }, {}, 'content', `${'0'.repeat(64)} was signed`],
  ['a name', { name: 'litellm' }, {}, 'name', 'names no file "litellm"'],
  ['an empty name', { name: '' }, {}, 'name', 'names no file ""'],
  ['sums', {}, { sums: sums.replace('litellm', 'litelln') }, 'signature', fingerprint(pem)],
  [
    'a bit of the signature',
    {},
    { signature: bytes.with(0, bytes[0]! ^ 1) },
    'signature',
    'is not what the key signed',
  ],
  ['a part of the signature', {}, { signature: bytes.slice(1) }, 'signature', 'is not what the key signed'],
  ['a key', {}, { publicKey: other }, 'signature', fingerprint(other)],
  ['no key', {}, { publicKey: '' }, 'key', 'give the text of ed25519.pem'],
  [
    'a key of another kind',
    {},
    { publicKey: generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' }).toString() },
    'key',
    'is no Ed25519 key',
  ],
])('%s that differs is refused, and named', async (_, given, parts, differs, says) => {
  const error = await verifyExport({ ...file, ...given }, { ...signed, ...parts }).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(VerificationError)
  expect(error).toMatchObject({ name: 'VerificationError', differs })
  expect((error as Error).message).toContain(says)
})
