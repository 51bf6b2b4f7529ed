package dev.heddle.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What every command does, with a running node and on the store. */
abstract class CommandContract {

    @TempDir
    Path directory;

    @BeforeEach
    void createHome() throws IOException {
        Files.createDirectories(home());
    }

    Path home() {
        return directory.resolve(".heddle");
    }

    Cli cli() {
        return new Cli(Map.of("HEDDLE_HOME", home().toString()));
    }

    Answer call(String... args) {
        return cli().call(args);
    }

    /** Calls a command, split at spaces, and expects it to succeed. */
    String ok(String line) {
        Answer answer = call(line.split(" "));
        assertThat(answer.exit()).as(line + ": " + answer.err()).isZero();
        return answer.out().strip();
    }

    JsonNode json(String line) {
        return JsonMapper.shared().readTree(ok(line + " -o json"));
    }

    /** Submits a job of a type that no node runs, so it stays queued. */
    String submit(String options) {
        return ok("submit parked " + options);
    }

    private static String firstWord(String line) {
        return line.replaceFirst(" .*", "");
    }

    private String state(String id) {
        return json("job show " + id).at("/job/state").asString();
    }

    @Test
    void createsListsAndRevokesTokens() {
        Answer created = call("token", "create", "ci", "--role", "operator", "--expires", "90d");
        String secret = created.out().strip();
        assertThat(created.exit()).isZero();
        assertThat(secret).startsWith("heddle_").hasSize(50);
        assertThat(created.err()).contains("it is shown only now");
        assertThat(ok("token list")).contains("ci", "operator", "heddle_", "never", "cli:").doesNotContain(secret);
        assertThat(call("token", "create", "ci", "--role", "admin").err()).contains("a token 'ci' already");
        assertThat(ok("whoami")).startsWith("cli:").endsWith(" with the role admin");
        ok("token revoke ci");
        assertThat(json("token list").size()).isZero();
        assertThat(json("audit list --operation createToken --outcome done").at("/0/target").asString())
                .isEqualTo("ci");
        assertThat(ok("audit list --actor cli:" + CliContext.user())).contains("revokeToken", "createToken");
        assertThat(ok("audit list --actor token:ci")).doesNotContain("createToken");
    }

    @Test
    void saysThatAPayloadIsTooLarge() throws Exception {
        for (int size : List.of(2 << 20, 64 << 20)) {
            Path file = Files.writeString(directory.resolve("large.json"), "\"" + "x".repeat(size - 2) + "\"");

            Answer answer = call("submit", "parked", "--payload", "@" + file);

            assertThat(answer.exit()).isEqualTo(ExitCode.USAGE.code());
            assertThat(answer.err().strip()).isEqualTo("heddle submit: payload of job type 'parked' is " + size
                    + " bytes of JSON, over the limit of 1048576; store the data elsewhere and pass a reference,"
                    + " or raise payloadLimit");
        }
    }

    @Test
    void printsTheOlderFilesOfAWorkersLog() throws Exception {
        Path logs = Files.createDirectories(home().resolve("logs/workers"));
        Files.writeString(logs.resolve("gone-1.log.from-1000"), "old\n");
        Files.writeString(logs.resolve("gone-1.log.from-1004"), "newer\n");
        Files.writeString(logs.resolve("gone-1.log"), "newest\n");

        assertThat(ok("worker logs gone-1")).isEqualTo("old\nnewer\nnewest");
    }

    @Test
    void showsTheTreeOfAJob() {
        String root = submit("--subject root");
        String first = submit("--parent " + root);
        String grandchild = submit("--parent " + first);
        String second = submit("--parent " + root);
        ok("job cancel " + second + " --reason later");

        List<String> lines = ok("job tree " + root).lines().toList();
        assertThat(lines.get(0)).startsWith("JOB").contains("TYPE", "STATE", "ATTEMPT", "AGE", "NOTE");
        assertThat(lines.get(1)).startsWith(root + " ").contains("QUEUED").endsWith("1 cancelled, 1 queued");
        assertThat(lines.get(2)).startsWith("├─ " + first).endsWith("1 queued");
        assertThat(lines.get(3)).startsWith("│  └─ " + grandchild);
        assertThat(lines.get(4)).startsWith("└─ " + second).contains("CANCELLED").endsWith("later");
        assertThat(lines).hasSize(5);

        lines = ok("job tree " + root + " --generations 2 --limit 2").lines().toList();
        assertThat(lines.get(2)).startsWith("├─ " + first);
        assertThat(lines.get(3)).isEqualTo("│  └─ … 1 more");
        assertThat(lines.get(4)).isEqualTo("└─ … 1 more");

        JsonNode tree = json("job tree " + root);
        assertThat(tree.at("/counts")).hasToString("{\"QUEUED\":1,\"CANCELLED\":1}");
        assertThat(tree.at("/children/0/children/0/job/id").asString()).isEqualTo(grandchild);
        assertThat(ok("job show " + root)).contains("children    1 cancelled, 1 queued");
        assertThat(json("job show " + root).at("/children")).hasToString("{\"QUEUED\":1,\"CANCELLED\":1}");
    }

    @Test
    void rejectsInvalidTreeOptions() {
        assertThat(call("job", "tree", "0123456789").exit()).isEqualTo(ExitCode.NOT_FOUND.code());
        assertThat(call("job", "tree", submit(""), "--generations", "99").err()).contains("generations");
    }

    @Test
    void cancelsAJobWithItsDescendants() {
        String root = submit("");
        String child = submit("--parent " + root);
        String grandchild = submit("--parent " + child);

        ok("job cancel " + root);

        assertThat(state(child)).isEqualTo("CANCELLED");
        assertThat(json("job show " + grandchild).at("/job/reason").asString()).isEqualTo("parent job cancelled");
    }

    @Test
    void showsAJobAsItWasSubmitted() {
        String id = submit(
                "--payload {\"n\":1} --queue mail --priority 7 --tag a --tag b --header trace=4bf9 --subject s1 --timeout 90s"
                        + " --attempts 5 --session c1");

        JsonNode job = json("job show " + id);
        assertThat(job.at("/payload")).hasToString("{\"n\":1}");
        assertThat(job.at("/job/queue").asString()).isEqualTo("mail");
        assertThat(job.at("/job/priority").asInt()).isEqualTo(7);
        assertThat(job.at("/job/maxRetries").asInt()).isEqualTo(4);
        assertThat(job.at("/job/timeout").asString()).isEqualTo("PT1M30S");
        assertThat(job.at("/job/tags")).hasToString("[\"a\",\"b\"]");
        assertThat(job.at("/job/headers/trace").asString()).isEqualTo("4bf9");
        assertThat(ok("job show " + id)).contains("state       QUEUED", "queue       mail", "subject     s1",
                "tags        a, b", "header      trace=4bf9", "payload     {\"n\":1}");
    }

    @Test
    void listsMatchingJobsNewestFirst() {
        List<String> ids = IntStream.range(0, 4).mapToObj(i -> submit("--queue q" + i % 2 + " --tag t" + i)).toList();

        assertThat(ok("job list").lines().skip(1).map(line -> firstWord(line)))
                .containsExactlyElementsOf(ids.reversed());
        assertThat(ok("job list").lines().findFirst())
                .hasValueSatisfying(titles -> assertThat(titles).matches("ID +TYPE +QUEUE +STATE +ATTEMPT +AGE +NOTE"));
        assertThat(ok("job list --queue q1 -o jsonl").lines()).hasSize(2);
        assertThat(json("job list --tag t2")).hasSize(1);
        assertThat(json("job list --state failed,running")).isEmpty();
        assertThat(json("job list --state QUEUED --limit 3")).hasSize(3);
        assertThat(json("job list --type other")).isEmpty();
    }

    @Test
    void findsAJobByAPrefixOfItsId() {
        String first = submit("");
        String second = submit("");
        assertThat(json("job show " + second.substring(0, 30)).at("/job/id").asString()).isEqualTo(second);

        Answer ambiguous = call("job", "show", first.substring(0, 4));
        assertThat(ambiguous.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(ambiguous.err()).hasLineCount(1).contains(first.substring(0, 4));
    }

    @Test
    void pausesResumesCancelsAndDeletesJobs() {
        String id = submit("");
        assertThat(ok("job pause " + id + " --reason later")).isEqualTo(id + " PAUSED");
        assertThat(ok("job list")).contains("PAUSED").contains("later");
        assertThat(ok("job resume " + id)).isEqualTo(id + " QUEUED");
        assertThat(ok("job cancel " + id + " --reason enough")).isEqualTo(id + " CANCELLED");
        assertThat(ok("job logs " + id)).contains("enough");
        assertThat(ok("job delete " + id)).isEqualTo(id + " deleted");
        assertThat(call("job", "show", id).exit()).isEqualTo(ExitCode.NOT_FOUND.code());
    }

    @Test
    void setsWhenAJobMayRun() {
        String id = submit("--delay 1h");
        assertThat(ok("job run-now " + id)).isEqualTo(id + " QUEUED");
        assertThat(ok("job reschedule " + id + " --at 2100-01-31T08:00:00Z")).isEqualTo(id + " SCHEDULED");
        assertThat(json("job show " + id).at("/job/dueAt").asString()).isEqualTo("2100-01-31T08:00:00Z");
        assertThat(ok("job reschedule " + id + " --in 2h")).isEqualTo(id + " SCHEDULED");
        assertThat(ok("job logs " + id)).contains("told to run now", "rescheduled to run at 2100-01-31T08:00:00Z",
                "rescheduled to run in 2h");
        for (String wrong : List.of("", "--in 1h --at 2100-01-31T08:00:00Z", "--in soon", "--at soon", "--in=-1h",
                "--at 1969-01-01T00:00:00Z")) {
            Answer answer = call(("job reschedule " + id + " " + wrong).trim().split(" "));
            assertThat(answer.exit()).as(wrong).isEqualTo(ExitCode.USAGE.code());
            assertThat(answer.err().lines().findFirst()).as(wrong).get().asString()
                    .startsWith("heddle job reschedule: ");
        }
        assertThat(state(id)).isEqualTo("SCHEDULED");
    }

    @Test
    void explainsWhyAJobDoesNotRun() {
        String id = submit("--delay 1h");
        assertThat(ok("job why " + id)).startsWith(id + " of type ")
                .contains("\n- It is scheduled for ", "\n- No node ");
        ok("job pause " + id + " --reason later");
        assertThat(json("job why " + id).at("/reasons/0/kind").asString()).isEqualTo("PAUSED");
        ok("job cancel " + id);
        assertThat(ok("job why " + id).lines()).hasSize(2).last().asString().startsWith("It was cancelled at ");
    }

    @Test
    void appliesToOtherJobsIfOneIsRejected() {
        String first = submit("");
        String last = submit("");
        Answer answer = call("job", "cancel", first, "0000", last);
        assertThat(answer.exit()).isEqualTo(ExitCode.NOT_FOUND.code());
        assertThat(answer.out().lines()).containsExactly(first + " CANCELLED", last + " CANCELLED");
        assertThat(answer.err()).hasLineCount(1).contains("0000");
    }

    @Test
    void rejectsActionsThatDoNotFitTheState() {
        String waiting = submit("");
        String over = submit("");
        ok("job cancel " + over);
        for (String order : List.of("retry " + waiting, "pause " + over, "resume " + over, "retry " + over,
                "run-now " + over, "reschedule " + over + " --in 1h")) {
            Answer answer = call(("job " + order).split(" "));
            assertThat(answer.exit()).as(order).isEqualTo(ExitCode.FAILED.code());
            assertThat(answer.err()).startsWith("heddle job " + firstWord(order) + ": ").hasLineCount(1);
        }
        assertThat(state(waiting)).isEqualTo("QUEUED");
        assertThat(state(over)).isEqualTo("CANCELLED");
    }

    @Test
    void submitsOneJobPerLine() throws Exception {
        Path file = Files.writeString(directory.resolve("many.jsonl"), "{\"n\":1}\n\n{\"n\":2}\n[3]\n");
        assertThat(ok("submit parked --lines " + file).lines()).hasSize(3).doesNotHaveDuplicates();
        assertThat(json("job list")).hasSize(3);

        String lines = "{\"n\":0}\n".repeat(2_500);
        Answer answer = cli().with(lines).call("submit", "bulk", "--lines", "-", "-o", "jsonl");
        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.out().lines()).hasSize(2_500);
        assertThat(json("job list --type bulk --limit 5000")).hasSize(2_500);
    }

    @Test
    void readsPayloadsFromFilesAndStandardInput() throws Exception {
        Path file = Files.writeString(directory.resolve("payload.json"), "{\"from\": \"file\"}");
        assertThat(json("job show " + submit("--payload @" + file)).at("/payload/from").asString()).isEqualTo("file");
        String id = cli().with("{\"from\":\"input\"}").call("submit", "parked", "--payload", "-").out().strip();
        assertThat(json("job show " + id).at("/payload/from").asString()).isEqualTo("input");
        assertThat(json("job show " + submit("")).at("/payload")).hasToString("{}");
    }

    @Test
    void submitsNoSecondJobWithTheSameDedupeKey() {
        String id = submit("--dedupe-key k");
        Answer again = call("submit", "parked", "--dedupe-key", "k");
        assertThat(again.out().strip()).isEqualTo(id);
        assertThat(again.err()).contains(id + " exists already; no new job submitted");
    }

    @Test
    void doesWhatTheModeOfADedupeKeySays() {
        String id = submit("--dedupe-key mode --debounce 1h --max 2h");
        Answer again = call("submit", "parked", "--dedupe-key", "mode", "--debounce", "1h", "--max", "2h");
        assertThat(again.out().strip()).isEqualTo(id);
        assertThat(again.err()).contains(id + " was waiting; it has this payload now, and starts later");
        assertThat(ok("job show " + id)).contains("debounce 1h max 2h");
        Answer newer = call("submit", "parked", "--dedupe-key", "mode", "--supersede");
        assertThat(newer.err()).contains("supersedes the job with its key, which was cancelled");
        assertThat(state(id)).isEqualTo("CANCELLED");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--within 1h --replace --dedupe-key k | use only one of --within and --replace",
        "--supersede | --supersede needs --dedupe-key",
        "--debounce 10s --dedupe-key k | --debounce needs --max",
        "--max 10s --dedupe-key k | --max needs --debounce",
        "--debounce 10s --max 5s --dedupe-key k | it waits 10s, and max is 5s",
        "--debounce 10s --max 50s --dedupe-key k --delay 1s | use --debounce, --delay or --at, not two of them"})
    void refusesDedupeModesThatMakeNoSense(String options, String message) {
        Answer refused = call(("submit parked " + options).split(" "));
        assertThat(refused.err()).contains(message);
        assertThat(refused.out()).isEmpty();
    }

    @Test
    void schedulesADelayedJob() {
        String id = submit("--delay 1h");
        assertThat(state(id)).isEqualTo("SCHEDULED");
        assertThat(ok("job list")).containsPattern("in (1h|60m|59m)");
        assertThat(state(submit("--at 2000-01-01T00:00:00Z"))).isEqualTo("QUEUED");
    }

    @Test
    void pausesAndResumesQueues() {
        submit("--queue mail");
        assertThat(ok("queue pause mail")).containsPattern("mail +PAUSED +1 ");
        assertThat(ok("queue list")).containsPattern("mail +PAUSED");
        assertThat(json("queue list").at("/0/paused").asBoolean()).isTrue();
        assertThat(ok("stats")).contains("paused queues  mail");
        assertThat(ok("queue resume mail")).containsPattern("mail +OPEN");
    }

    @Test
    void showsTypesOnce() {
        submit("--queue mail");
        submit("--queue mail");
        assertThat(ok("top")).contains("2 queued").containsPattern("parked +mail +2 ");
        assertThat(ok("top --once")).contains("2 queued");
        assertThat(ok("stats")).containsPattern("parked +mail +2 ");
        assertThat(json("stats").at("/byType/0/jobs/QUEUED").asInt()).isEqualTo(2);
    }

    @Test
    void refusesErrorsThatAreNotThere() {
        assertThat(ok("error list")).hasLineCount(1).startsWith("ERROR");
        for (String command : List.of("show abc", "note abc known", "retry abc", "purge abc")) {
            Answer answer = call(("error " + command).split(" "));
            assertThat(answer.exit()).isEqualTo(ExitCode.NOT_FOUND.code());
            assertThat(answer.err().strip())
                    .isEqualTo("heddle error " + command.substring(0, command.indexOf(' '))
                            + ": no error has the fingerprint 'abc'");
        }
        assertThat(call("error", "note", "abc").err()).contains("give a note, an --assignee, or both");
    }

    @Test
    void showsNothingOnAnEmptyStore() {
        assertThat(json("job list")).isEmpty();
        assertThat(ok("job list")).hasLineCount(1).startsWith("ID");
        assertThat(ok("job list -o jsonl")).isEmpty();
        assertThat(json("dead list")).isEmpty();
        assertThat(json("queue list")).isEmpty();
        assertThat(ok("dead retry --all")).isEqualTo("0 queued again");
        assertThat(ok("dead purge --type none")).isEqualTo("0 deleted");
        assertThat(json("stats").at("/dead").asInt()).isZero();
    }

    @Test
    void timesOutIfAJobDoesNotEnd() {
        String id = submit("");
        Answer answer = call("job", "wait", id, "--timeout", "50ms");
        assertThat(answer.exit()).isEqualTo(ExitCode.TIMED_OUT.code());
        assertThat(answer.err()).contains("job " + id + " is still QUEUED; timed out waiting, the job continues");
        assertThat(call("submit", "parked", "--wait", "--wait-timeout", "50ms").exit())
                .isEqualTo(ExitCode.TIMED_OUT.code());
    }

    @Test
    void stopsWaitingForACancelledJob() {
        String id = submit("");
        ok("job cancel " + id);
        assertThat(call("job", "wait", id).exit()).isEqualTo(ExitCode.FAILED.code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"job show", "job why", "job logs", "job wait", "job retry", "job cancel", "job pause",
        "job resume",
        "job run-now",
        "job delete", "dead show", "dead retry", "worker show"})
    void reportsUnknownIds(String verb) {
        Answer answer = call((verb + " 00000000-0000-7000-8000-000000000000").split(" "));
        assertThat(answer.exit()).as(answer.err()).isEqualTo(ExitCode.NOT_FOUND.code());
        assertThat(answer.err()).startsWith("heddle " + verb + ": ").hasLineCount(1);
        assertThat(answer.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    submit                                 | missing TYPE; see 'heddle submit --help'
                    submit x --payload {                   | --payload: not JSON: Unexpected end-of-input: expected close marker for Object (line 1, column 2)
                    submit x --payload {}{}                | --payload:
                    submit x --payload @/none              | /none does not exist
                    submit x --lines /none                 | /none does not exist
                    submit x --priority high               | invalid value for --priority: 'high' is not a whole number
                    budget set usd/24h abc                 | invalid value for LIMIT: 'abc' is not a number; see
                    submit x --delay soon                  | invalid value for --delay: 'soon' is not a duration
                    submit x --delay 5                     | invalid value for --delay: '5' has no unit
                    submit x --delay -5s                   | invalid value for --delay: '-5s' is negative
                    submit x --delay 1s --at 2030-01-01T00:00:00Z | use --delay or --at, not both
                    submit x --at tomorrow                 | invalid value for --at: 'tomorrow' is not a time; use ISO 8601, such as 2030-01-31T08:00:00Z
                    submit x --payload ''                  | --payload: expected JSON
                    submit x --payload @/tmp               | '/tmp' is a directory, not a file
                    submit x --lines /tmp                  | '/tmp' is a directory, not a file
                    job list --home ''                     | --home is empty; give a directory
                    job list --home /etc/passwd            | /etc/passwd is not a directory; delete it, or choose another home
                    job list --config /tmp                 | '/tmp' is a directory; check --config
                    job list -x                            | unknown option '-x'; see 'heddle job list --help'
                    submit x --attempts 0                  | invalid value for --attempts: '0' is not a whole number of at least 1
                    submit x --timeout 0s                  | --timeout must be longer than zero
                    submit x --id 12                       |
                    submit x --parent zz                   |
                    submit x --payload {} --lines -        | use --payload or --lines, not both
                    submit x --lines - --id 1              | --id cannot be used with --lines
                    submit x --lines -                     | standard input has no payloads; expected one JSON value per line
                    submit x --wait-timeout 1s             | --wait-timeout needs --wait
                    submit x --quueue a                    | unknown option '--quueue'; did you mean '--queue'?
                    submit x y                             | unknown argument 'y'
                    job lsit                               | unknown command 'lsit'; did you mean 'list'?
                    job list --state runing                | invalid value for --state: 'runing' is not a job state; did you mean 'RUNNING'?
                    job list --limit 0                     | invalid value for --limit: '0' is not a whole number of at least 1
                    job list -o yaml                       | invalid value for --output: 'yaml' is not an output format; use table, json, jsonl
                    job show                               | missing ID
                    job wait                               | missing ID
                    job cancel                             | missing ID
                    queue pause                            | missing QUEUE
                    dead retry                             | nothing selected to retry; give ids, --all, or a filter: --type
                    dead retry --all --type x              | ambiguous selection; give only one of ids, --all, or filters
                    dead purge                             | nothing selected to purge; give --all, or a filter: --type
                    dead purge 0                           | unknown argument '0'
                    worker show                            | missing ID
                    stats now                              | unknown argument 'now'
                    completion nu                          | unsupported shell 'nu'; use bash, zsh or fish
                    bench --jobs 0                         | --jobs must be at least 1: 0
                    db backup                              | missing FILE
                    """)
    void rejectsInvalidInputWithOneLine(String line, String message) {
        Answer answer = call(
                Stream.of(line.split(" ")).map(word -> word.equals("''") ? "" : word).toArray(String[]::new));
        assertThat(answer.exit()).as(answer.err()).isIn(ExitCode.USAGE.code(), ExitCode.NOT_FOUND.code());
        assertThat(answer.err()).startsWith("heddle " + firstWord(line)).contains(message == null ? "" : message)
                .hasLineCount(1);
        assertThat(answer.out()).isEmpty();
        assertThat(json("job list")).as("nothing changed").isEmpty();
    }

    /** Two spaces separate the arguments, because a cron expression has spaces. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    schedule  create  s  0 0 30 2 *  echo                  | invalid cron expression '0 0 30 2 *': it never fires
                    schedule  create  s  every 0s  echo                    | interval must be at least 1 s, in whole seconds: 0 ms
                    schedule  create  s  tomorrow  echo                    | invalid cron expression 'tomorrow': it has 1 field; expected 5
                    schedule  create  s  @daily  echo  --zone  Mars        | unknown time zone 'Mars'; expected a name such as Europe/Berlin
                    schedule  create  s  @daily  echo  --until  tomorrow   | invalid value for --until: 'tomorrow' is not a time
                    schedule  create  s  @daily  echo  --until  2020-01-01T00:00:00Z | schedule 's' would never run: its first run would be at
                    schedule  create  s  @daily  echo  --runs  -1          | invalid value for --runs: '-1' is not a whole number of at least 1
                    schedule  create  s  @daily  echo  --runs  99999999999 | invalid value for --runs: '99999999999' is too large
                    schedule  create  s  @daily  echo  --missed  never     | unknown policy for missed runs 'never'; expected skip, coalesce
                    schedule  create  s  @daily  echo  --overlap  maybe    | unknown policy for overlaps 'maybe'; expected allow, skip
                    schedule  create  s  @daily  echo  --jitter  2d        | jitter must be at most 1 day: 2d
                    schedule  create  s                                    | missing RULE
                    schedule  pause  s                                     | there is no schedule 's'; 'heddle schedule list' shows all
                    limit  set  x                                          | set --max, --rate or both
                    limit  set  x  --burst  3                              | --burst needs --rate
                    limit  set  x  --max  0                                | invalid value for --max: '0' is not a whole number of at least 1
                    limit  set  x  --max  2000000                          | maxConcurrent of limit 'x' must be at most 1000000: 2000000
                    limit  set  x  --rate  5                               | --rate is a number and a time, such as 100/1m: '5'
                    limit  set  x  --rate  5/0s                            | the time of a rate must be at least 1 ms: 0 ms
                    limit  set  x  --rate  5/1m  --burst  0                | invalid value for --burst: '0' is not a whole number of at least 1
                    limit  set  x  --max  1  --when-full  explode          | unknown policy for a full limit 'explode'; expected queue, dropNew
                    limit  set  x  --max  1  --key  customer               | 'customer' is not a path to one value
                    limit  remove  x                                       | there is no limit 'x'; 'heddle limit list' shows all
                    """)
    void refusesInvalidSchedulesAndLimitsWithOneLine(String line, String message) {
        Answer answer = call(line.strip().split("  +"));
        assertThat(answer.exit()).as(answer.err()).isIn(ExitCode.USAGE.code(), ExitCode.NOT_FOUND.code());
        assertThat(answer.err()).startsWith("heddle " + firstWord(line)).contains(message).hasLineCount(1);
        assertThat(answer.out()).isEmpty();
        assertThat(json("schedule list")).as("nothing changed").isEmpty();
        assertThat(json("limit list")).as("nothing changed").isEmpty();
    }

    @Test
    void submitsNothingIfALineIsInvalid() {
        Answer answer = cli().with("{}\n{\"a\":}\n{}\n").call("submit", "x", "--lines", "-");
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(answer.err()).startsWith("heddle submit: standard input:2: not JSON").hasLineCount(1);
        assertThat(json("job list")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"job", "queue", "dead", "db", "node", "worker"})
    void printsUsageOfAGroupWithoutCommand(String noun) {
        Answer answer = call(noun);
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(answer.err()).startsWith("Usage: heddle " + noun);
        assertThat(answer.out()).isEmpty();
    }

    @Test
    void backsUpTheStore() {
        String id = submit("");
        Path copy = directory.resolve("copy.db");
        assertThat(ok("db backup " + copy)).isEqualTo(copy.toString());
        assertThat(call("db", "backup", copy.toString()).exit()).as("overwrites nothing")
                .isEqualTo(ExitCode.USAGE.code());

        Path restored = directory.resolve("restored");
        assertThat(restored.toFile().mkdir()).isTrue();
        assertThat(copy.toFile().renameTo(restored.resolve("heddle.db").toFile())).isTrue();
        assertThat(new Cli(Map.of()).call("job", "list", "--home", restored.toString()).out()).contains(id);
    }

    @Test
    void showsTheStatusOfTheStore() {
        submit("");
        assertThat(ok("db status")).contains("store   " + home().resolve("heddle.db"))
                .containsPattern("version \\d+ \\(latest\\)");
        assertThat(json("db status").at("/kind").asString()).isEqualTo("sqlite");
    }

    @Test
    void createsShowsAndTriggersASchedule() {
        Answer created = call("schedule", "create", "nightly", "0 2 * * *", "parked", "--zone", "Europe/Berlin", "-p",
                "{\"n\": 1}");
        assertThat(created.exit()).as(created.err()).isZero();
        assertThat(created.out()).startsWith("nightly ACTIVE, next run in ");
        assertThat(ok("schedule list").lines().toList().getLast()).contains("nightly", "parked", "0 2 * * *",
                "Europe/Berlin", "ACTIVE");
        assertThat(ok("schedule show nightly")).contains("rule      0 2 * * * (at 02:00), Europe/Berlin",
                "job       parked {\"n\":1}", "policies  missed coalesce, overlap skip");
        assertThat(ok("schedule next nightly -n 3").lines()).hasSize(3);
        String job = ok("schedule trigger nightly");
        assertThat(json("job show " + job).at("/job/headers/heddle-schedule").asString()).isEqualTo("nightly");
        assertThat(ok("schedule pause nightly")).isEqualTo("nightly PAUSED");
        assertThat(ok("schedule resume nightly")).startsWith("nightly ACTIVE");
        assertThat(ok("schedule backfill nightly 2026-01-01T00:00:00Z 2026-01-03T00:00:00Z"))
                .isEqualTo("2 runs made, 0 were made before");
        assertThat(ok("schedule delete nightly")).isEqualTo("nightly deleted");
        assertThat(call("schedule", "show", "nightly").exit()).isEqualTo(ExitCode.NOT_FOUND.code());
    }

    @Test
    void refusesAnInvalidSchedule() {
        Answer never = call("schedule", "create", "x", "0 0 30 2 *", "parked");
        assertThat(never.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(never.err().strip()).isEqualTo("heddle schedule create: invalid cron expression '0 0 30 2 *':"
                + " it never fires: no month has such a day");
        assertThat(call("schedule", "reset", "x").err()).contains("there is no schedule 'x'");
    }
}
