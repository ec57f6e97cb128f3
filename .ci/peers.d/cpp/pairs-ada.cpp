// ada in C++, which keeps a base that is parsed. The modes are those of the programs in Rust.
#include "ada.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>

using URL = ada::url_aggregator;

static const std::string_view base_of_typical = "https://www.example.com/docs/v2/guide/index.html?lang=en";
static const std::string_view typical[] = {
    "?page=2", "#fn1", "page2.html#section-3", "https://pkg.go.dev/net/url#URL.Parse", "/static/css/main.css",
    "./images/figure-1.png", "../tutorial/start.html", "//cdn.example.net/lib/jquery.min.js", "sub/dir/../other.html",
    "chapter/intro.html?print=1",
};

static void library() {
  auto base = ada::parse<URL>(base_of_typical);
  std::string out;
  double result = 0;
  for (int round = 0; round < 2; round++) { // the first round warms up
    auto start = std::chrono::steady_clock::now();
    std::chrono::nanoseconds took{};
    long n = 0;
    while (took < std::chrono::milliseconds(500)) {
      for (int i = 0; i < 1000; i++) {
        for (auto reference : typical) {
          asm volatile("" : "+r"(reference) : : "memory");
          out.clear();
          auto target = ada::parse<URL>(reference, &*base);
          if (target) out.append(target->get_href());
          asm volatile("" : : "r"(out.data()) : "memory");
        }
      }
      n += 1000;
      took = std::chrono::steady_clock::now() - start;
    }
    result = double(took.count()) / double(n);
  }
  std::printf("%.0f\n", result);
}

int main(int argc, char **argv) {
  if (argc > 1 && !std::strcmp(argv[1], "library")) {
    library();
    return 0;
  }
  bool normalize = argc > 1 && !std::strcmp(argv[1], "normalize");
  std::ios::sync_with_stdio(false);
  std::string line, last, out;
  ada::result<URL> base = ada::parse<URL>("x:");
  while (std::getline(std::cin, line)) {
    std::string_view text = line;
    if (normalize) {
      auto url = ada::parse<URL>(text);
      if (url) out.append(url->get_href());
    } else {
      size_t tab = text.find('\t');
      if (tab == text.npos) continue;
      if (text.substr(0, tab) != last) {
        last = text.substr(0, tab);
        base = ada::parse<URL>(last);
      }
      if (base) {
        auto target = ada::parse<URL>(text.substr(tab + 1), &*base);
        if (target) out.append(target->get_href());
      }
    }
    out.push_back('\n');
    if (out.size() >= 1 << 16) {
      std::fwrite(out.data(), 1, out.size(), stdout);
      out.clear();
    }
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
}
