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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConformanceCheckTest extends ExternalFixture {

    /** For answers that never come. */
    private static final Timing SHORT = new Timing(LONG, LONG, Duration.ofSeconds(1), LONG,
            Duration.ofSeconds(1));

    private final List<Finding> findings = new ArrayList<>();

    /** All the time that a worker needs. */
    private boolean check(List<String> command, Path directory, String what) throws InterruptedException {
        return check(command, directory, what, LONG, new Timing(LONG, LONG, LONG, LONG, LONG));
    }

    private boolean check(List<String> command, Path directory, String what, Duration patience,
            Timing timing) throws InterruptedException {
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
    void hasNothingToSayAgainstTheExample() throws Exception {
        boolean fine = check(List.of("python3", "embed.py"), Path.of("../workers/python"), "anything");
        assertThat(at(Level.WRONG)).isEmpty();
        assertThat(at(Level.OK)).contains("initialize: 'embedder' speaks version 1, handles embed",
                "ping: answered",
                "an unknown request: refused", "a job of a type it does not have: fails, and says so",
                "shutdown: ends by itself", "the end of its input: ends by itself");
        assertThat(fine).isTrue();
    }

    /** What a worker does wrong, and what it is told. The parts of a worker are its answers, by method. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            exit       | initialize: it ended: exit 7; a worker answers initialize with
            silent     | initialize: no answer within 2 s; a worker answers initialize with
            version    | initialize: it speaks protocol version 9, this is 1
            refuse     | initialize: no model (-32000); a worker answers initialize with
            stubborn   | shutdown: it still runs after 1 s; a worker ends when it is told to""")
    void saysWhatIsWrongWithAStart(String how, String words) throws Exception {
        boolean fine = check(List.of("python3", script("misfit.py").toString(), how), home, "well",
                how.equals("silent") ? Duration.ofSeconds(2) : LONG, SHORT);
        assertThat(fine).isFalse();
        assertThat(at(Level.WRONG)).anyMatch(text -> text.startsWith(words));
    }

    @Test
    void noticesWhoSendsItsInputBack() throws Exception {
        assertThat(check(List.of("cat"), home, "well")).isFalse();
        assertThat(at(Level.WRONG)).singleElement().asString()
                .startsWith("initialize: it sends back what it is asked; a worker answers initialize with");
    }

    @Test
    void saysWhatIsMissing() throws Exception {
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
        assertThat(at(Level.WRONG)).satisfiesExactly(
                text -> assertThat(text).startsWith("ping: no answer within "),
                text -> assertThat(text)
                        .startsWith("an unknown request: should be answered with error -32601"),
                text -> assertThat(text)
                        .startsWith("notifications it need not know: it does not answer a ping"),
                text -> assertThat(text).startsWith("a job of a type it does not have: should be answered"),
                text -> assertThat(text).startsWith("shutdown: it still runs"));
        assertThat(at(Level.HINT))
                .anyMatch(text -> text.contains("4 lines that are no messages") && text.endsWith("working"));
    }

    /** A worker that is right but for one thing, which is done to each line before it is written. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            out["id"] = str(out["id"])       | initialize: no answer within 2 s, but an answer without a number for its id, or without either result or error: {"jsonrpc": "2.0", "id": "1",
            del out["jsonrpc"]               | initialize: no answer within 2 s, but a line that is no message, which has "jsonrpc":"2.0": {"id": 1,
            out["result"]["protocolVersion"] = "1" | initialize: the protocolVersion in its answer to initialize must be a number such as 1, and is text: "1"
            """)
    void showsAnAnswerThatIsNone(String twist, String words) throws Exception {
        assertThat(check(python("""
                import json, sys
                for line in sys.stdin:
                    out = {"jsonrpc": "2.0", "id": json.loads(line)["id"],
                           "result": {"protocolVersion": 1, "name": "off", "types": ["work"]}}
                    TWIST
                    print(json.dumps(out), flush=True)
                """.replace("TWIST", twist)), home, "well", Duration.ofSeconds(2), SHORT)).isFalse();
        assertThat(at(Level.WRONG)).singleElement().asString().startsWith(words);
    }

    @Test
    void noticesWhoAnswersWhatAsksNothing() throws Exception {
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
                "notifications it need not know: answered, and what has no id gets no answer: it could not read");
        assertThat(at(Level.WRONG)).noneMatch(text -> text.startsWith("the protocol: "));
        assertThat(at(Level.OK)).contains("a job of type work: done", "the next job of type work: done");
    }

    @Test
    void noticesWhoDoesNotReadWhileItWorks() throws Exception {
        boolean fine = check(
                """
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
                        """,
                "well");
        assertThat(fine).isFalse();
        assertThat(at(Level.WRONG))
                .anyMatch(
                        text -> text.startsWith("a ping while it works: not answered until the job was over"))
                .anyMatch(text -> text.startsWith("a cancel while it works: the job was not given up"));
    }

    @Test
    void seesThatACancelIsHeard() throws Exception {
        boolean fine = check(List.of("env", "PYTHONPATH=" + Path.of("../workers/python").toAbsolutePath(),
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
        assertThat(at(Level.OK)).contains("a cancel while it works: given up");
    }

    @Test
    void hintsAtTheTypeWhereAWorkerRefusesOneThatItDoesNotKnow() throws Exception {
        assertThat(check(List.of("python3", script("misfit.py").toString(), "refuse"), home, "well"))
                .isFalse();
        assertThat(at(Level.WRONG)).singleElement().asString()
                .contains("it was asked for the type 'heddle-no-such-type': give --type");
    }

    @Test
    void showsTheLastWordsOfAWorkerThatEnds() throws Exception {
        boolean fine = check("import no_such_module", "well");
        assertThat(fine).isFalse();
        assertThat(at(Level.WRONG)).singleElement().asString().contains("it ended: exit 1")
                .contains("ModuleNotFoundError: No module named 'no_such_module'");
    }
}
