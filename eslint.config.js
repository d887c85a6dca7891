import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const typed = ['**/*.{ts,tsx}', 'packages/contract/src/*.js']

export default tseslint.config(
  { ignores: ['**/node_modules/', '**/generated/', '**/dist/', '.data/'] },
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: typed })),
  {
    files: typed,
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // Tools, and React's lazy(), want a default export.
    files: ['**/{vite,vitest,tsdown,size-limit}*.config.ts', 'apps/dashboard/src/pages/**/*Page.tsx'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    ...reactHooks.configs.flat.recommended,
    files: ['apps/dashboard/src/**/*.{ts,tsx}'],
  },
  {
    files: ['packages/*/examples/*.ts'],
    rules: {
      // Runtimes want their server as the default export.
      'no-restricted-exports': 'off',
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', name: 'test', package: 'node:test' }] },
      ],
    },
  },
)
