package dev.heddle.process;

import java.nio.file.Path;

import dev.heddle.process.SandboxMounts.Access;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SandboxMountsTest {

    private final SandboxMounts mounts = new SandboxMounts().add(Access.WRITE, Path.of("/home/ada/app/.heddle/wt/1"))
            .add(Access.HIDDEN, Path.of("/home/ada/app/.heddle")).add(Access.WRITE, Path.of("/home/ada/app"))
            .add(Access.HIDDEN, Path.of("/home/ada")).add(Access.HIDDEN, Path.of("/home/ada/app/heddle.yaml"))
            .add(Access.READ, Path.of("/home/ada/.nvm"));

    @ParameterizedTest
    @CsvSource({"/etc/passwd,READ", "/home/ada,HIDDEN", "/home/ada/.ssh/id,HIDDEN", "/home/ada/.nvm/bin/node,READ",
        "/home/ada/app,WRITE", "/home/ada/app/src,WRITE", "/home/ada/app/.heddle/token,HIDDEN",
        "/home/ada/app/.heddle/wt/2,HIDDEN", "/home/ada/app/.heddle/wt/1/src,WRITE", "/home/adam,READ",
        "/home/ada/app/heddle.yaml,HIDDEN"})
    void theDeepestPathCounts(Path path, Access access) {
        assertThat(mounts.access(path)).isEqualTo(access);
    }

    @Test
    void mountsEachPathAfterThoseThatContainIt() {
        assertThat(mounts.options(path -> !path.endsWith("heddle.yaml"))).containsExactly("--tmpfs", "/home/ada",
                "--ro-bind", "/home/ada/.nvm", "/home/ada/.nvm", "--bind", "/home/ada/app", "/home/ada/app", "--tmpfs",
                "/home/ada/app/.heddle", "--ro-bind", "/dev/null", "/home/ada/app/heddle.yaml", "--bind",
                "/home/ada/app/.heddle/wt/1", "/home/ada/app/.heddle/wt/1");
    }

    @Test
    void ofTheSamePathTheWeakestLimitCounts() {
        Path path = Path.of("/srv");
        assertThat(new SandboxMounts().add(Access.WRITE, path).add(Access.HIDDEN, path).access(path))
                .isEqualTo(Access.WRITE);
    }
}
