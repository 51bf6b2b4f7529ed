package dev.heddle.cli.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is wrong with a configuration file, and on which line. */
class InvalidConfigTest extends ConfigFixture {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    wrokers: 4                        | 1 | unknown key 'wrokers'; did you mean 'workers'?
                    workers: 4\\nserver:\\n  prot: 1  | 3 | unknown key 'server.prot'; did you mean 'server.port'?
                    port: 1                           | 1 | unknown key 'port'; did you mean 'server.port'?
                    server: {xyz: 1}                  | 1 | unknown key 'server.xyz'; known keys: host, port, token, allowedHosts, allowRun, behindProxy, proxy, tls, maxConnections, maxConnectionsPerAddress, headerTimeout, bodyTimeout
                    abcdefgh: 1                       | 1 | unknown key 'abcdefgh'; known keys: store, workers, claimAhead, timeout, closeTimeout, pollEvery, claimErrors, recovery, retention, server, webhooks, process, worktree, log, types, schedules, budgets, prices, limits
                    types: [a]                        | 1 | types must be a mapping
                    types: {greet: {}}                | 1 | types.greet has no command, agent or external; add one, such as command: [make, test], agent: claude, or external: [python3, worker.py]
                    types: {a: {agent: claud}}        | 1 | types.a.agent 'claud' is not an agent; did you mean 'claude'?
                    types: {a: {agent: text}}         | 1 | types.a has no program; add one, such as program: [my-agent, --quiet]
                    types: {a: {agent: claude, command: [ls]}} | 1 | types.a has both agent and command; keep one
                    budgets: {pool: {usd/24h: -1}}    | 1 | budgets.pool.usd/24h must not be negative: -1
                    budgets: {team: {usd/24h: 1}}     | 1 | budgets.team is invalid: …
                    prices: {gpt-5: {input: 1, output: 2}} | 1 | prices has no version; add one, such as version: house-2026-11, to record with each estimate
                    types: {echo: {command: [a]}}     | 1 | types.echo is a built-in type; choose another name
                    types: {run: {command: [a]}}      | 1 | types.run is a built-in type; choose another name
                    types: {a: {command: make test}}  | 1 | types.a.command must be a list, such as [make, test]
                    types: {a: {command: []}}         | 1 | types.a.command is invalid: …
                    types: {a: {command: ["{{x}}"]}}  | 1 | types.a.command is invalid: …
                    types:\\n  a:\\n    comand: [b] | 3 | unknown key 'types.a.comand'; did you mean 'types.a.command'?
                    types: {a: {command: [b], sandbox: {network: false}}} | 1 | types.a has a sandbox that is not used; add isolation: sandbox
                    types: {a: {command: [b], isolation: sandbx}} | 1 | types.a.isolation 'sandbx' is not an isolation of a type; did you mean 'sandbox'?
                    types: {a: {command: [b], isolation: sandbox, sandbox: {net: false}}} | 1 | unknown key 'types.a.sandbox.net'; known keys: network, read, write, hide
                    types: {a: {command: [b], x1: 1}} | 1 | unknown key 'types.a.x1'; known keys: command, build, test, directory, worktree, env, inherit, allow, tools, runAs, isolation, sandbox, spawns, artifacts, timeout, stallAfter, retries, backoff, permanentExits, onUnitComplete, onUnitFailed
                    types: {a: {command: [b], worktree: {rpo: .}}} | 1 | unknown key 'types.a.worktree.rpo'; did you mean 'types.a.worktree.repo'?
                    types: {a: {command: [b], worktree: {ref: x}}} | 1 | types.a.worktree has no repo; add one, such as repo: .
                    types: {a: {command: [b], worktree: {repo: .}, directory: c}} | 1 | types.a has both directory and worktree; keep one
                    types: {a: {command: [b], artifacts: [../c]}} | 1 | types.a.artifacts is invalid: …
                    types: {a: {command: [b], timeout: 5}} | 1 | types.a.timeout '5' has no unit; use 5s or 5m, for example
                    types: {a: {command: [b], retries: -1}} | 1 | types.a.retries must be at least 0: -1
                    types: {a: {command: [b], external: [c]}} | 1 | types.a has both command and external; keep one
                    types: {a: {external: [b], comand: [c]}} | 1 | unknown key 'types.a.comand'; known keys: external, workers, affinity, recycle, health, handshake, probeAfter, startUps, directory, env, allow, timeout, stallAfter, retries, backoff, onUnitComplete, onUnitFailed
                    types: {a: {external: python3 b}} | 1 | types.a.external must be a list, such as [python3, worker.py]
                    types: {a: {external: []}}        | 1 | types.a.external is invalid: the command is empty; give a program to run
                    types: {a: {external: [b], workers: 0}} | 1 | types.a.workers must be at least 1: 0
                    types: {a: {external: [b], affinity: strict}} | 1 | types.a.affinity 'strict' is not an affinity; use one of hint, strict_queue, strict_fail
                    types: {a: {external: [b], recycle: {job: 1}}} | 1 | unknown key 'types.a.recycle.job'; did you mean 'types.a.recycle.jobs'?
                    types: {a: {external: [b], recycle: {memory: 5}}} | 1 | types.a.recycle.memory '5' is not a size such as 512MB or 1GB
                    types: {a: {external: [b], recycle: {age: 0s}}} | 1 | types.a.recycle.age is invalid: age must be longer than zero: PT0S
                    types: {a: {external: [b], health: {every: 0s}}} | 1 | types.a.health is invalid: each interval and timeout of external workers must be longer than zero: PT0S
                    types: {default: {external: [b]}} | 1 | types.default.external is invalid: 'default' is the name of the default worker group; choose another name for the type
                    types: {a: {command: [b], command: [c]}} | 1 | duplicate key 'types.a.command'; keep one
                    process: {outputLimit: 5}         | 1 | process.outputLimit '5' is not a size such as 512MB or 1GB
                    worktree: {keep: maybe}           | 1 | worktree.keep 'maybe' is not a boolean; use one of true, false
                    process: {isolation: sesion}      | 1 | process.isolation 'sesion' is not an isolation level; did you mean 'session'?
                    process: {envPrefix: 1A}          | 1 | process.envPrefix is invalid: the prefix of environment variables must consist of letters, digits and _, and must not start with a digit: '1A'
                    workers: four                     | 1 | workers 'four' is not a whole number
                    workers: 1.5                      | 1 | workers '1.5' is not a whole number
                    workers: 0                        | 1 | workers must be at least 1: 0
                    workers: -3                       | 1 | workers must be at least 1: -3
                    workers: 99999999999              | 1 | workers must be from 1 to 2147483647: 99999999999
                    workers:                          | 1 | workers has no value; add one or delete the line
                    workers: [1, 2]                   | 1 | workers must be a single value, not a list
                    workers: {n: 1}                   | 1 | workers must be a single value, not a mapping
                    workers: 1\\nworkers: 2           | 2 | duplicate key 'workers'; keep one
                    server: 7420                      | 1 | server must be a mapping with keys such as 'host'
                    - a                               | 1 | the file must be a mapping with keys such as 'store'
                    timeout: 10 parsecs               | 1 | timeout '10 parsecs' has the unknown unit 'parsecs'; use one of ms, s, m, min, h, d
                    timeout: 10                       | 1 | timeout '10' has no unit; use 10s or 10m, for example
                    timeout: -1s                      | 1 | timeout '-1s' is negative; use zero or more
                    timeout: 0s                       | 1 | timeout must be longer than zero
                    timeout: soon                     | 1 | timeout 'soon' is not a duration; use a number and a unit, such as 90s, 10m or 7d
                    recovery: {atOnce: 0}             | 1 | recovery.atOnce must be at least 1: 0
                    claimErrors: {backoff: 0s}        | 1 | claimErrors.backoff must be longer than zero
                    server: {port: 70000}             | 1 | server.port must be from 0 to 65535: 70000
                    log: {level: inof}                | 1 | log.level 'inof' is not a level; did you mean 'info'?
                    server: {token: "${NOT_SET}"}     | 1 | server.token refers to the environment variable NOT_SET, which is not set
                    store: {sqlite: a, postgresql: {url: b}} | 1 | store.sqlite cannot be combined with store.postgresql; keep one
                    store: {postgresql: {user: a}}    | 1 | store.postgresql has no url; add one, such as jdbc:postgresql://host:5432/database
                    store: {postgresql: {url: "jdbc:postgresql:/localhost:99999/x"}} | 1 | store.postgresql.url is not a PostgreSQL URL such as jdbc:postgresql://host:5432/database
                    store: {postgresql: {url: "jdbc:postgresql://h/d",\\n schema: "a b;"}} | 2 | store.postgresql.schema 'a b;' is not a valid schema name; …
                    store: {postgresql: {url: mysql}} | 1 | store.postgresql.url is not a PostgreSQL URL such as jdbc:postgresql://host:5432/database
                    """)
    void rejectsInvalidContentWithTheLine(String yaml, int line, String what) {
        assertThatThrownBy(() -> read(yaml.replace("\\n", "\n"))).isInstanceOfSatisfying(CliException.class, e -> {
            assertThat(e.exit()).isEqualTo(ExitCode.USAGE);
            String message = directory.resolve("heddle.yaml") + ":" + line + ": " + what;
            // The rest is the message of another module.
            if (message.endsWith("…")) {
                assertThat(e).hasMessageStartingWith(message.replace("…", "")).message().hasLineCount(1);
            } else {
                assertThat(e).hasMessage(message);
            }
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a: b: c       | 1
            x: 1\\n\\tb: 2 | 2
            a: [1, 2      | 1
            "a            | 1
            """)
    void rejectsInvalidYaml(String yaml, int line) {
        assertThatThrownBy(() -> read(yaml.replace("\\n", "\n").replace("\\t", "\t")))
                .hasMessageMatching(Pattern.quote(directory + "/heddle.yaml:" + line) + ": not YAML: [^\\n]+");
    }

    @Test
    void namesAMissingFile() {
        Path missing = directory.resolve("none.yaml");
        assertThatThrownBy(() -> ConfigFile.read(missing, directory, Map.of()))
                .hasMessage(missing + " does not exist; check --config");
    }
}
