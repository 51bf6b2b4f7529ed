package dev.heddle.examples.greeting;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class QuickStartTest {

    private static final Pattern FIRST_JAVA_BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path directory;

    @Test
    void compilesAndRunsTheQuickStartOfTheReadme() throws Exception {
        compile(Files.writeString(directory.resolve("QuickStart.java"), readme()));

        assertThat(run("QuickStart")).isEqualTo("Hello Ada\n");
        assertThat(directory.resolve("jobs.db")).exists();
    }

    @Test
    void isIdenticalToTheReadme() throws Exception {
        String source = Files
                .readString(Path.of("src/main/java/dev/heddle/examples/greeting/QuickStart.java"));

        assertThat(source.replaceFirst("package .*;\\R\\R", "")).isEqualToNormalizingNewlines(readme());
    }

    private static String readme() throws Exception {
        Matcher block = FIRST_JAVA_BLOCK.matcher(Files.readString(Path.of("../README.md")));
        assertThat(block.find()).as("README.md has a ```java block").isTrue();
        return block.group(1);
    }

    private void compile(Path source) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(said, files, null,
                    List.of("-Xlint:all,-processing", "-proc:none", "-cp", CLASS_PATH, "-d",
                            directory.toString()),
                    null, files.getJavaFileObjects(source)).call();
            assertThat(said.toString()).isEmpty();
            assertThat(compiled).isTrue();
        }
    }

    /** Runs it in a separate process, because the program creates its database in the current directory. */
    private String run(String mainClass) throws Exception {
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-cp",
                directory + System.getProperty("path.separator") + CLASS_PATH, mainClass)
                .directory(directory.toFile()).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(),
                    StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
