/** Starts the engine in a worker. `wasm` is the address of another engine.wasm, packed or not. */
export function load(options?: { wasm?: string | URL }): Promise<Engine>;

/** What sgppl refused. `status` is the exit status of the command: 1 a model, 2 settings, 3 data,
 * 4 a run, 5 files, 130 an interrupt. The message is what the command prints. */
export class SgpplError extends Error {
  readonly status: number;
}

/** The compiler and the samplers. Runs are one after another. */
export class Engine {
  /** What `sgppl check --json` prints: all diagnostics, dims, data and params. */
  check(model: string, name?: string): Promise<Report>;
  /** A model without errors; an SgpplError with all of them otherwise. */
  compile(model: string, name?: string): Promise<Model>;
  /** Draws from the posterior. */
  sample(request: SampleOptions & { model: string; name?: string }): Promise<Fit>;
  /** Ends the worker. A program of Node ends without it, too. */
  close(): Promise<void>;
}

export class Model {
  readonly text: string;
  readonly name: string;
  readonly report: Report;
  sample(options?: SampleOptions): Promise<Fit>;
}

export interface SampleOptions {
  /** The inputs by their names: numbers, lists of lists, typed arrays; null and NaN are missing.
   * Or rows, as a list of objects: words in them are levels of an index. */
  data?: Record<string, unknown> | Record<string, unknown>[];
  /** Files by their names, such as "d.csv", whose fields are inputs. */
  files?: Record<string, string | Uint8Array>;
  /** Dims, consts and scalar inputs, as --set has them. */
  set?: Record<string, number | string>;
  /** The order of levels, as --levels has it. */
  levels?: string[];
  /** What is done with rows that have missing entries, as --na has it. */
  na?: string;
  /** "nuts" (the default), "msgnht" or another sampler of the engine. */
  sampler?: string;
  chains?: number;
  warmup?: number;
  draws?: number;
  thin?: number;
  /** 1 by default. The same seed gives the same bits as the command, on every machine. */
  seed?: number;
  /** Called for every event of the run, which are those of `--progress json`. */
  onEvent?: (event: RunEvent) => void;
  /** Ends the run. The fit then has what was drawn; chains that have fewer draws end in NaN. */
  signal?: AbortSignal;
}

export interface RunEvent {
  event: string;
  chain?: number;
  step?: number;
  steps?: number;
  draws?: number;
  [field: string]: unknown;
}

export class Fit {
  /** A sentence that begins with ok, unsure or off: may these draws be trusted? */
  readonly verdict: string;
  readonly health: HealthRow[];
  /** A row for each number, with mean, quantiles, R-hat and effective sample sizes; at most
   * 2,000 rows. */
  readonly summary: SummaryRow[];
  /** The draws of each variable. */
  readonly draws: Record<string, Draws>;
  /** The report, a page of HTML. */
  readonly report: string;
  /** What the command prints: the tables, and notes. */
  readonly text: string;
  readonly notes: string;
  /** The signal has ended the run. */
  readonly interrupted: boolean;
}

export interface Draws {
  /** Chains, draws, and the axes of the variable. */
  shape: number[];
  dims: string[];
  /** The last axis is the fastest. */
  data: Float64Array;
  /** For each axis of the variable the names of its entries, if it has any. */
  labels: (string[] | null)[];
}

export interface SummaryRow {
  name: string;
  label?: string;
  mean: number;
  sd: number;
  q5: number;
  q50: number;
  q95: number;
  mcse_mean: number;
  mcse_sd: number;
  ess_bulk: number;
  ess_tail: number;
  rhat: number;
  [field: string]: unknown;
}

export interface HealthRow {
  block: string;
  statistic: string;
  value: number | null;
  expected: number | null;
  mcse: number | null;
  verdict: "ok" | "unsure" | "off";
}

export interface Report {
  diagnostics: Diagnostic[];
  dims: { name: string; [field: string]: unknown }[];
  data: Value[];
  params: Value[];
  batchable: string[];
  [field: string]: unknown;
}

export interface Diagnostic {
  code: string;
  severity: "error" | "warning";
  message: string;
  line: number;
  column: number;
  [field: string]: unknown;
}

export interface Value {
  name: string;
  type: string;
  shape: string[];
  [field: string]: unknown;
}
