package dev.heddle.external;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.external.ConformanceCheck.Finding;
import dev.heddle.external.ConformanceCheck.Finding.Level;
import dev.heddle.external.ExternalSettings.Timing;
import dev.heddle.job.DurationText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConformanceCheckTest extends ExternalFixture {

    /** Short timeouts, for answers that never arrive. */
    private static final Timing SHORT = new Timing(LONG, LONG, Duration.ofSeconds(1), LONG, Duration.ofSeconds(1));

    private final List<Finding> findings = new ArrayList<>();

    /** Checks with long timeouts. */
    private boolean check(List<String> command, Path directory, String what) throws InterruptedException {
        return check(command, directory, what, LONG, new Timing(LONG, LONG, LONG, LONG, LONG));
    }

    private boolean check(List<String> command, Path directory, String what, Duration patience, Timing timing)
            throws InterruptedException {
        return new ConformanceCheck(processes, command, directory,
                new ConformanceCheck.Work(null, job(what), patience, timing)).run(findings::add);
    }

    private boolean check(String program, String what) throws Exception {
        return check(python(program), home, what);
    }

    private List<String> python(String program) throws IOException {
        return List.of("python3", Files.writeString(home.resolve("worker.py"), program).toString());
    }

    private List<String> at(Level level) {
        return findings.stream().filter(finding -> finding.level() == level)
                .map(finding -> finding.subject() + ": " + finding.text()).toList();
    }

    @Test
    void findsNothingWrongWithTheExample() throws Exception {
        boolean fine = check(List.of("python3", "embed.py"), Path.of("../sdk/python"), "anything");
        assertThat(at(Level.WRONG)).isEmpty();
        assertThat(at(Level.OK)).contains("initialize: 'embedder' speaks version 1, handles embed", "ping: answered",
                "an unknown request: refused", "a job of an unknown type: refused", "shutdown: ended by itself",
                "the end of its input: ended by itself");
        assertThat(fine).isTrue();
    }

    /** A way to fail, and the beginning of the finding. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            exit       | initialize: it ended: exit 7; a worker must answer initialize with
            silent     | initialize: no answer within 2 s; a worker must answer initialize with
            version    | initialize: it uses protocol version 9, but Heddle supports only version 1
            refuse     | initialize: no model (-32000); a worker must answer initialize with
            stubborn   | shutdown: still running after 1 s; a worker must end on shutdown""")
    void reportsAFailedStartOrShutdown(String how, String words) throws Exception {
        boolean fine = check(List.of("python3", script("faulty_worker.py").toString(), how), home, "well",
                how.equals("silent") ? Duration.ofSeconds(2) : LONG, SHORT);
        assertThat(fine).isFalse();
        assertThat(at(Level.WRONG)).anyMatch(text -> text.startsWith(words));
    }

    @Test
    void detectsAWorkerThatEchoesItsInput() throws Exception {
        assertThat(check(List.of("cat"), home, "well")).isFalse();
        assertThat(at(Level.WRONG)).singleElement().asString().startsWith(
                "initialize: it sends requests back instead of answering them; a worker must answer initialize with");
    }

    @Test
    void reportsMissingAnswers() throws Exception {
        boolean fine = check(python("""
                import json, sys
                for line in sys.stdin:
                    message = json.loads(line)
                    if message["method"] == "initialize":
                        answer = {"protocolVersion": 1, "name": "half", "types": ["work"]}
                    elif message["method"] == "execute":
                        print("working")
                        answer = 1
                    else:
                        continue
                    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer}), flush=True)
                """), home, "well", LONG, SHORT);
        assertThat(fine).isFalse();
        assertThat(at(Level.WRONG)).satisfiesExactly(text -> assertThat(text).startsWith("ping: no answer within "),
                text -> assertThat(text).startsWith("an unknown request: must be answered with error -32601"),
                text -> assertThat(text).startsWith("unknown notifications: after them, it does not answer a ping"),
                text -> assertThat(text).startsWith("a job of an unknown type: must be answered"),
                text -> assertThat(text).startsWith("shutdown: still running"));
        assertThat(at(Level.HINT))
                .anyMatch(text -> text.contains("4 lines that are not messages") && text.endsWith("working"));
    }

    /** A worker that is correct except for one change to each line that it writes. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    out["id"] = str(out["id"])       | initialize: no answer within PATIENCE, but a response without a numeric id, or without a result or an error: {"jsonrpc": "2.0", "id": "1",
                    del out["jsonrpc"]               | initialize: no answer within PATIENCE, but a line that is not a message, because it lacks "jsonrpc":"2.0": {"id": 1,
                    out["result"]["protocolVersion"] = "1" | initialize: the protocolVersion in its response to initialize must be a number such as 1, but is the string "1"
                    """)
    void showsAnInvalidAnswer(String twist, String words) throws Exception {
        Duration patience = checkUntilAnswered(python("""
                import json, sys
                for line in sys.stdin:
                    out = {"jsonrpc": "2.0", "id": json.loads(line)["id"],
                           "result": {"protocolVersion": 1, "name": "off", "types": ["work"]}}
                    TWIST
                    print(json.dumps(out), flush=True)
                """.replace("TWIST", twist)));
        assertThat(at(Level.WRONG)).singleElement().asString()
                .startsWith(words.replace("PATIENCE", DurationText.of(patience)));
    }

    /** Repeats the check with more patience until the worker starts in time to answer. Returns the last patience. */
    private Duration checkUntilAnswered(List<String> command) throws InterruptedException {
        Duration patience = Duration.ofSeconds(2);
        assertThat(check(command, home, "well", patience, SHORT)).isFalse();
        while (patience.compareTo(LONG) < 0 && at(Level.WRONG).getFirst()
                .startsWith("initialize: no answer within " + DurationText.of(patience) + ";")) {
            findings.clear();
            patience = patience.multipliedBy(2);
            assertThat(check(command, home, "well", patience, SHORT)).isFalse();
        }
        return patience;
    }

    @Test
    void detectsAWorkerThatAnswersNotifications() throws Exception {
        boolean fine = check("""
                import json, sys
                for line in sys.stdin:
                    message = json.loads(line)
                    method = message["method"]
                    out = {"jsonrpc": "2.0", "id": message.get("id")}
                    if method == "shutdown":
                        sys.exit(0)
                    if method == "initialize":
                        out["result"] = {"protocolVersion": 1, "name": "polite", "types": ["work"]}
                    elif method == "ping":
                        out["result"] = {}
                    elif method == "execute" and message["params"]["type"] == "work":
                        print("working")
                        out["result"] = 1
                    else:
                        out["error"] = {"code": -32601, "message": "what?"}
                    print(json.dumps(out), flush=True)
                """, "well");
        assertThat(fine).isFalse();
        assertThat(at(Level.WRONG)).first().asString().startsWith(
                "unknown notifications: answered, but a notification must not be answered: it could not read");
        assertThat(at(Level.WRONG)).noneMatch(text -> text.startsWith("the protocol: "));
        assertThat(at(Level.OK)).contains("a job of type work: done", "the next job of type work: done");
    }

    @Test
    void detectsAWorkerThatDoesNotReadDuringAJob() throws Exception {
        boolean fine = check("""
                import json, sys, time
                for line in sys.stdin:
                    message = json.loads(line)
                    answer = {}
                    if message["method"] == "initialize":
                        answer = {"protocolVersion": 1, "name": "single", "types": ["work"]}
                    elif message["method"] == "execute":
                        time.sleep(1.2)
                    elif message["method"] == "shutdown":
                        sys.exit(0)
                    if "id" in message:
                        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer}), flush=True)
                """, "well");
        assertThat(fine).isFalse();
        assertThat(at(Level.WRONG))
                .anyMatch(text -> text.startsWith("a ping during a job: not answered before the end of the job"))
                .anyMatch(text -> text.startsWith("a cancel during a job: the job was not cancelled"));
    }

    @Test
    void confirmsThatAJobCanBeCancelled() throws Exception {
        boolean fine = check(List.of("env", "PYTHONPATH=" + Path.of("../sdk/python").toAbsolutePath(),
                "PYTHONDONTWRITEBYTECODE=1", "python3", Files.writeString(home.resolve("slow.py"), """
                        from heddle_worker import Worker
                        worker = Worker("slow")
                        jobs = []
                        @worker.handles("work")
                        def work(payload, job):
                            jobs.append(job.id)
                            job.sleep(0 if len(jobs) < 3 else 60)
                        worker.run()
                        """).toString()), home, "well");
        assertThat(fine).isTrue();
        assertThat(at(Level.OK)).contains("a cancel during a job: the job was cancelled");
    }

    @Test
    void suggestsATypeIfTheWorkerRefusesTheUnknownOne() throws Exception {
        assertThat(check(List.of("python3", script("faulty_worker.py").toString(), "refuse"), home, "well")).isFalse();
        assertThat(at(Level.WRONG)).singleElement().asString()
                .contains("it was initialized with the type 'heddle-no-such-type'; give --type");
    }

    @Test
    void showsTheLastLogLinesOfAWorkerThatEnds() throws Exception {
        boolean fine = check("import no_such_module", "well");
        assertThat(fine).isFalse();
        assertThat(at(Level.WRONG)).singleElement().asString().contains("it ended: exit 1")
                .contains("ModuleNotFoundError: No module named 'no_such_module'");
    }
}
