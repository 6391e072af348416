import js from '@eslint/js';
import rxjsX from 'eslint-plugin-rxjs-x';
import tseslint from 'typescript-eslint';

/** Architecture: imports point down only. Each folder lists what it must not reach. */
const LAYERS = [
  'core',
  'url',
  'page',
  'fetch',
  'sitemap',
  'download',
  'items',
  'control',
  'testing',
  'cli',
];
const MAY_IMPORT = {
  core: [],
  url: ['core'],
  page: ['url', 'core'],
  fetch: ['core', 'url'],
  sitemap: ['core', 'url', 'page', 'fetch'],
  items: ['core', 'url', 'page', 'fetch'],
  download: ['core', 'url', 'page', 'fetch', 'items'],
  control: ['core'],
  testing: ['core'],
};

const layerRules = Object.entries(MAY_IMPORT).map(([layer, allowed]) => ({
  files: [`src/${layer}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `(^|/)(${LAYERS.filter((other) => other !== layer && !allowed.includes(other)).join('|')})/`,
            message: `src/${layer} may import only ${['itself', ...allowed].join(', ')}: imports point down.`,
          },
          {
            group: layer === 'testing' ? ['rxjs/*', '!rxjs/testing'] : ['rxjs/*'],
            message: 'Import everything from "rxjs".',
          },
          ...(layer === 'core' || layer === 'testing'
            ? [
                {
                  regex: '^(node:|undici|cheerio|htmlparser2|tldts)',
                  message: `src/${layer} runs in a browser: rxjs only.`,
                },
              ]
            : []),
        ],
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ['dist', 'docs/api', 'coverage', '.cache', 'bench/node_modules', 'etc'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [
      ...tseslint.configs.strictTypeChecked,
      ...tseslint.configs.stylisticTypeChecked,
      rxjsX.configs.strict,
    ],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Numbers and booleans in messages need no ceremony.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // rxjs callbacks such as `() => events.next(x)` are idiomatic.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // The crawl's errors are values; its streams end in error only for programming mistakes.
      'rxjs-x/no-ignored-error': 'off',
      // The rule cannot see that a callback's result is a cold Observable that is returned.
      'rxjs-x/no-misused-observables': 'off',
      // Streams carry `$`, functions that return one do not: the rule cannot tell them apart.
      'rxjs-x/finnish': 'off',
      // Ending a source early, and letting what it started run on, is what a crawl needs.
      'rxjs-x/no-unsafe-takeuntil': 'off',
      // Where an index is proven, `as T` says so; `!` would be the same claim in disguise.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      'rxjs-x/throw-error': 'off',
    },
  },
  {
    files: ['test/**/*.ts', 'examples/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/require-await': 'off',
      // Operations of a frontier are carried out when they are called.
      'rxjs-x/no-floating-observables': 'off',
      'rxjs-x/no-subject-value': 'off',
      'rxjs-x/no-ignored-default-value': 'off',
      'rxjs-x/no-nested-subscribe': 'off',
      'rxjs-x/no-exposed-subjects': 'off',
      'rxjs-x/no-ignored-subscription': 'off',
      'rxjs-x/no-ignored-subscribe': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  ...layerRules,
);
