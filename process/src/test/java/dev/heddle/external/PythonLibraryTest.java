package dev.heddle.external;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the Python library's own tests with the real interpreter. */
class PythonLibraryTest {

    @Test
    void passesItsOwnTests() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("python3", "-W", "error::ResourceWarning", "-m", "unittest",
                "discover", "-s", "tests").directory(new File("../sdk/python")).redirectErrorStream(true);
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Path output = Path.of("target", "python-tests.log");
        Process tests = builder.redirectOutput(output.toFile()).start();
        tests.getOutputStream().close();
        assertThat(tests.waitFor(5, TimeUnit.MINUTES)).as("the tests have ended").isTrue();
        assertThat(tests.exitValue()).as("%s", Files.readString(output, StandardCharsets.UTF_8)).isZero();
    }
}
