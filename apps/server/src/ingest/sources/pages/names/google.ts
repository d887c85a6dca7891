/** The ids of the names that Google Cloud's page of model versions recommends, from its own tables, as of 2026-08-22. */
export const googleNames: Readonly<Record<string, string>> = {
  'Gemini 3.5 Flash': 'gemini-3.5-flash',
  'Gemini 3.5 Flash-Lite or Gemini 3.1 Flash-Lite': 'gemini-3.5-flash-lite',
  'Gemini 3.1 Flash-Lite or Gemma 4': 'gemini-3.1-flash-lite',
  'Gemini 3.1 Flash-Lite Image': 'gemini-3.1-flash-lite-image',
}

/** The ids of headings of Google's price page that are not the heading itself as an id, as of 2026-05-07. */
export const googleIds: Readonly<Record<string, readonly string[]>> = {
  'Gemini 2.5 Flash-Lite Preview': ['gemini-2.5-flash-lite-preview-09-2025'],
  'Gemini 3.1 Pro Preview': ['gemini-3.1-pro-preview', 'gemini-3.1-pro-preview-customtools'],
  'Gemini Embedding': ['gemini-embedding-001'],
}
