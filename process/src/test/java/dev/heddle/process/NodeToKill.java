package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Path;

/** A node in a separate JVM. It starts one script, then waits for a line of input and closes. */
final class NodeToKill {

    private NodeToKill() {}

    /** Takes the registry directory, the isolation, the working directory and the script. */
    public static void main(String[] arguments) throws IOException {
        Processes processes = Processes.open(ProcessSettings.in(Path.of(arguments[0]))
                .isolation(Isolation.valueOf(arguments[1])).headroom(Headroom.none()));
        RunningProcess process = processes.start(Launch.of("job 1", "sh", "-c", arguments[3])
                .environment(ProcessFixture.PATH).inExclusive(Path.of(arguments[2])));
        System.out.println("isolation " + process.isolation());
        System.out.println("temp " + process.temp());
        System.out.println("up");
        process.exit().thenAccept(exit -> System.out.println("ended: " + exit));
        int _ = System.in.read();
        processes.close();
        System.out.println("closed");
    }
}
