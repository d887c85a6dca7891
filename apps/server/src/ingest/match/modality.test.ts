import { expect, test } from 'vitest'
import { decideModality, findModality } from './modality.ts'

test.each([
  ['text-embedding-3-small', 'embedding'],
  ['BAAI/bge-m3', 'embedding'],
  ['BAAI/bge-reranker-v2', 'rerank'],
  ['omni-moderation-latest', 'moderation'],
  ['mistral-ocr-latest', 'ocr'],
  ['gpt-4o-mini-transcribe', 'audio'],
  ['openai/whisper-large-v3', 'audio'],
  ['gpt-4o', null],
  ['democratic-7b', null],
])('the name %s says %s', (name, modality) => {
  expect(findModality(name)).toBe(modality)
})

test.each([
  ['gpt-4o', ['text'], 'llm'],
  ['gemini-flash-image', ['text', 'image'], 'llm'],
  ['text-embedding-3-small', ['text'], 'embedding'],
  ['dall-e-3', ['image'], 'image'],
  ['lyria', ['audio'], 'audio'],
  ['veo-3', ['video'], 'video'],
  ['atlas', ['pdf'], 'other'],
  ['unsaid', [], null],
])('%s, which makes %o, is %s', (name, outputs, modality) => {
  expect(decideModality(name, outputs)).toBe(modality)
})
